"""Cassettes: calls of a live run, recorded to a JSON-lines file and replayed without network and without a key.

A cassette is meant to be shared, so know what is in the file. The models' replies are, with keys, bearer tokens and
e-mail addresses redacted; a reply may quote what it was asked about. So are model names, hosts, timings, token counts,
and of each request its length and the hash of its redacted text. The conversation, the prompts, headers, keys and
addresses' queries are not.

    recording.py  RecordingDriver, record_to      wraps any driver and writes a line a call
    playing.py    CassetteDriver                  answers from the file, or says which calls are missing
    reading.py    read_cassette, parse_cassette   the file as values, read strictly
    shipped.py    shipped_cassettes               the cassettes that the package carries
"""
