package rest

// NotBuilt are the calls that are still to come, with what they answer until then. A call leaves
// this table with the change that builds it: a test fails for a call that is built and stands here,
// and for one that is not built and does not.
var NotBuilt = map[string]string{}
