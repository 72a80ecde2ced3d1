; ...UserParts
(fragment_spread (fragment_name (name) @callee)) @call
