"""Why: the branch ladder, the rule trace, and what the judge did and did not see."""
