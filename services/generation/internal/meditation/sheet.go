package meditation

import "serein.app/services/generation/internal/recording"

// Sheet is the script of a meditation that is spoken while it is being written.
type Sheet struct {
	// Said are the passages that it has: each is stored, and spoken already or to be spoken.
	Said []recording.Passage
	// Asked says that a model was asked for the rest, which happens once, however often the work is taken up again.
	Asked bool

	add func(passages []recording.Passage) error
	ask func() error
	// failed is the store's error that ended the writing.
	failed error
}

// NewSheet makes a sheet with what is stored. It stores passages with add, and with ask that a model is asked for the rest.
func NewSheet(said []recording.Passage, asked bool, add func([]recording.Passage) error, ask func() error) *Sheet {
	return &Sheet{Said: said, Asked: asked, add: add, ask: ask}
}

// Add stores passages, all or none, and has them spoken. Its error is the store's.
func (s *Sheet) Add(passages ...recording.Passage) error {
	if s.failed = s.add(passages); s.failed == nil {
		s.Said = append(s.Said, passages...)
	}
	return s.failed
}

// Ask notes that a model is asked for the rest, before it is. Its error is the store's.
func (s *Sheet) Ask() error {
	s.failed = s.ask()
	s.Asked = s.failed == nil
	return s.failed
}
