package entry

// Category is what articles and meditations are filed under.
type Category struct{ ID, Name string }
