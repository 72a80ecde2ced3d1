; Values of variables: cidr = "10.0.0.0/16"
(config_file (body (attribute . (identifier) @name) @definition.value))
