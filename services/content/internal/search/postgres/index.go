package postgres

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/search"
	"serein.app/services/content/internal/search/postgres/sqlcgen"
)

// Show brings into the index what readers of master get. It does nothing for what no search finds. Its lock is the last of the
// transaction.
func (s *Store) Show(ctx context.Context, tx pgx.Tx, p entry.Published, locale string) error {
	i, findable := toSearch(p.ContentType, p.ID, p.Fields, locale)
	if !findable || p.Environment != entry.Master {
		return nil
	}
	if err := s.queries.LockSearch(ctx, tx); err != nil {
		return err
	}
	return s.put(ctx, tx, i)
}

// put brings an item into the index as it is. The caller holds the lock.
func (s *Store) put(ctx context.Context, tx pgx.Tx, i search.Item) error {
	changes, err := s.write(ctx, tx, i)
	if err != nil {
		return err
	}
	return s.reindex(ctx, tx, changes)
}

// write stores an item and returns the change of its terms. It gives an item of another release a new number, because this release does
// not know which terms the other one gave the item. The old number's remaining terms find nothing.
func (s *Store) write(ctx context.Context, tx pgx.Tx, i search.Item) (changes []termsChange, err error) {
	c := termsChange{after: i.Terms()}
	row, err := s.queries.SearchItem(ctx, tx, sqlcgen.SearchItemParams{Kind: string(i.Kind), ID: i.ID})
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, err
	}
	there := err == nil
	if there && row.Form == searchVersion {
		c.number, c.before = row.Number, toSearchItem(row).Terms()
	} else {
		if there {
			gone, err := s.remove(ctx, tx, row)
			if err != nil {
				return nil, err
			}
			changes = append(changes, gone)
		}
		if c.number, err = s.nextNumber(ctx, tx, i); err != nil {
			return nil, err
		}
	}
	params, err := fromSearchItem(c.number, i)
	if err != nil {
		return nil, err
	}
	return append(changes, c), s.queries.SetSearchItem(ctx, tx, params)
}

// nextNumber is one that no item has had.
func (s *Store) nextNumber(ctx context.Context, tx pgx.Tx, i search.Item) (int64, error) {
	if err := s.queries.SkipSearchBlock(ctx, tx, searchVersion); err != nil {
		return 0, err
	}
	if i.UID != "" {
		return s.queries.NextSearchBespokeNumber(ctx, tx)
	}
	return s.queries.NextSearchNumber(ctx, tx)
}

// Hide removes from the index what readers of master no longer get. Its lock is the last of the transaction.
func (s *Store) Hide(ctx context.Context, tx pgx.Tx, key entry.Key, contentType string) error {
	i, findable := toSearch(contentType, key.ID, nil, "")
	if !findable || key.Environment != entry.Master {
		return nil
	}
	if err := s.queries.LockSearch(ctx, tx); err != nil {
		return err
	}
	return s.drop(ctx, tx, i.Kind, i.ID)
}

// drop takes an item out of the index, if it is there. The caller holds the lock.
func (s *Store) drop(ctx context.Context, tx pgx.Tx, kind search.Kind, id string) error {
	row, err := s.queries.SearchItem(ctx, tx, sqlcgen.SearchItemParams{Kind: string(kind), ID: id})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	gone, err := s.remove(ctx, tx, row)
	if err != nil {
		return err
	}
	return s.reindex(ctx, tx, []termsChange{gone})
}

// remove deletes an item and returns the terms to remove. These include the terms of its kind and owner, without which no search finds
// the number, whichever further terms another release gave it.
func (s *Store) remove(ctx context.Context, tx pgx.Tx, row sqlcgen.SearchItem) (termsChange, error) {
	return termsChange{number: row.Number, before: toSearchItem(row).Terms()}, s.queries.DeleteSearchItem(ctx, tx, row.Number)
}

// termsChange is what an item's terms were, and what they are: in the order of terms, none where it was not there or goes.
type termsChange struct {
	number        int64
	before, after []search.Term
}

// numbers to put into a term's set and to take out of it.
type numbers struct{ in, out []int64 }

// reindex writes the sets of all terms that items have got or lost.
func (s *Store) reindex(ctx context.Context, tx pgx.Tx, changes []termsChange) error {
	blocks := map[int64]map[search.Term]*numbers{}
	for _, c := range changes {
		block := blocks[search.BlockOf(c.number)]
		if block == nil {
			block = map[search.Term]*numbers{}
			blocks[search.BlockOf(c.number)] = block
		}
		of := func(t search.Term) *numbers {
			if block[t] == nil {
				block[t] = &numbers{}
			}
			return block[t]
		}
		added, removed := search.Compare(c.before, c.after)
		for _, t := range added {
			of(t).in = append(of(t).in, c.number)
		}
		for _, t := range removed {
			of(t).out = append(of(t).out, c.number)
		}
	}
	// The newest numbers come first: a word of an item that got a new number is not given up in between.
	for _, at := range slices.Backward(slices.Sorted(maps.Keys(blocks))) {
		if err := s.reindexBlock(ctx, tx, at, blocks[at]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) reindexBlock(ctx context.Context, tx pgx.Tx, at int64, changed map[search.Term]*numbers) error {
	terms := slices.Collect(maps.Keys(changed))
	before, err := s.postings(ctx, tx, terms, []int64{at})
	if err != nil {
		return err
	}
	var set sqlcgen.SetSearchPostingsParams
	var gone sqlcgen.DeleteSearchPostingsParams
	var words, lost []string
	for _, t := range terms {
		items, there := before[t]
		if !there {
			items = search.Set{}
		}
		for _, number := range changed[t].out {
			items.Remove(number)
		}
		for _, number := range changed[t].in {
			items.Add(number)
		}
		data := items.Encode(at)
		if len(data) > 0 {
			set.Places, set.Words, set.Blocks, set.Items = append(set.Places, int16(t.Place)), append(set.Words, t.Word), append(set.Blocks, at), append(set.Items, data)
		} else {
			gone.Places, gone.Words, gone.Blocks = append(gone.Places, int16(t.Place)), append(gone.Words, t.Word), append(gone.Blocks, at)
		}
		switch {
		case t.Place != search.InText:
		case len(data) > 0 && !there:
			words = append(words, t.Word)
		case len(data) == 0:
			lost = append(lost, t.Word)
		}
	}
	if err := s.queries.SetSearchPostings(ctx, tx, set); err != nil {
		return err
	}
	if err := s.queries.DeleteSearchPostings(ctx, tx, gone); err != nil {
		return err
	}
	if err := s.learn(ctx, tx, words); err != nil || len(lost) == 0 {
		return err
	}
	return s.queries.DropSearchWords(ctx, tx, sqlcgen.DropSearchWordsParams{Words: lost, Place: int16(search.InText)})
}

// learn adds words to those by which mistyped ones are found.
func (s *Store) learn(ctx context.Context, tx pgx.Tx, words []string) error {
	if len(words) == 0 {
		return nil
	}
	fresh, err := s.queries.AddSearchWords(ctx, tx, words)
	if err != nil {
		return err
	}
	var rows sqlcgen.AddSearchSpellingsParams
	for _, word := range fresh {
		for _, spelling := range search.Spellings(word) {
			rows.Spellings, rows.Words = append(rows.Spellings, spelling), append(rows.Words, word)
		}
	}
	return s.queries.AddSearchSpellings(ctx, tx, rows)
}

// postings reads the sets of terms in those blocks.
func (s *Store) postings(ctx context.Context, db sqlcgen.DBTX, terms []search.Term, blocks []int64) (map[search.Term]search.Set, error) {
	ask := sqlcgen.SearchPostingsParams{Blocks: blocks}
	ask.Places, ask.Words = termColumns(terms)
	rows, err := s.queries.SearchPostings(ctx, db, ask)
	sets := make(map[search.Term]search.Set, len(terms))
	for _, row := range rows {
		decode(sets, row.Place, row.Word, row.Block, row.Items)
	}
	return sets, err
}

func termColumns(terms []search.Term) (places []int16, words []string) {
	for _, t := range terms {
		places, words = append(places, int16(t.Place)), append(words, t.Word)
	}
	return places, words
}

func decode(sets map[search.Term]search.Set, place int16, word string, block int64, items []byte) {
	t := search.Term{Place: search.Place(place), Word: word}
	if sets[t] == nil {
		sets[t] = search.Set{}
	}
	sets[t].Decode(block, items)
}
