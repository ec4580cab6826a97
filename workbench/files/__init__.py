"""Files on the kernel's machine: read with progress and to be stopped, and large ones listed by their conversations."""
