package entry

import "time"

// Tag marks entries and assets for editors and queries.
type Tag struct {
	ID, Name             string
	Version              int
	CreatedAt, UpdatedAt time.Time
}

// ConceptScheme is a taxonomy: concepts that belong together. It is the same in all environments.
type ConceptScheme struct {
	ID                    string
	PrefLabel, Definition map[string]string // by locale
	Version               int
	CreatedAt, UpdatedAt  time.Time
}

// Concept is a term of a scheme.
type Concept struct {
	ID, Scheme            string
	PrefLabel, Definition map[string]string
	AltLabels             map[string][]string
	// Broader are the concepts above it; none for a top concept.
	Broader              []string
	Top                  bool
	Version              int
	CreatedAt, UpdatedAt time.Time
}
