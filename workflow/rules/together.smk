"""Jobs of seconds go to a cluster together; included last."""

for name, group in groups_of(study.config["shards"]).items():
    here = apart and name == "fetch_dataset"
    if hasattr(rules, name) and not here:  # another workflow may use some of the rules
        getattr(rules, name).rule.group = group
