package reading

// UserItemState is how many members like an item, and whether one member likes and saves it.
type UserItemState struct {
	// Likes counts those of all members.
	Likes int
	// Liked and Saved say whether this member likes and saves it.
	Liked, Saved bool
}

// Item is what members like, save and listen to.
type Item struct {
	Kind Kind
	ID   string
}
