"""Jobs of seconds go to a cluster together, unless they share no folder; included last."""

for name, group in ({} if apart else groups_of(study.config["shards"])).items():
    if hasattr(rules, name):  # another workflow may use some of the rules
        getattr(rules, name).rule.group = group
