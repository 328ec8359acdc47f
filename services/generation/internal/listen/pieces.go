package listen

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"serein.app/services/generation/internal/recording"
)

// Type, practice and size are what content's catalogue says of them.
type (
	// Type of meditations.
	Type struct {
		ID, Name     string
		Affirmations []string
	}
	// Size of meditations.
	Size struct {
		ID, Name                                 string
		MinWords, MaxWords, Breaks, PauseSeconds int
	}
)

// Catalogue is what can be asked for.
type Catalogue struct {
	Types     []Type
	Practices []string
	Sizes     []Size
}

// ReadCatalogue reads the files of content's catalogue in a folder. There are at least one type, one practice and one size.
func ReadCatalogue(folder string) (c Catalogue, err error) {
	var practices []struct{ ID string }
	for name, to := range map[string]any{"types.json": &c.Types, "practices.json": &practices, "sizes.json": &c.Sizes} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return c, err
		}
		if err := json.Unmarshal(data, to); err != nil {
			return c, fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, p := range practices {
		c.Practices = append(c.Practices, p.ID)
	}
	if len(c.Types) == 0 || len(c.Practices) == 0 || len(c.Sizes) == 0 {
		return c, fmt.Errorf("%s: a catalogue without types, practices or sizes", folder)
	}
	return c, nil
}

// Pieces are, for each narrator, the first size of all types, and one piece of each other size. The practices take turns.
func Pieces(c Catalogue, narrators []recording.Narrator) (all []Piece) {
	for n, narrator := range narrators {
		for i, t := range c.Types {
			all = append(all, Piece{Narrator: narrator, Type: t, Practice: c.Practices[i%len(c.Practices)], Size: c.Sizes[0]})
		}
		for i, size := range c.Sizes[1:] {
			turn := n*(len(c.Sizes)-1) + i
			all = append(all, Piece{
				Narrator: narrator, Type: c.Types[turn%len(c.Types)], Practice: c.Practices[turn%len(c.Practices)], Size: size,
			})
		}
	}
	return all
}
