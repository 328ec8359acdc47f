package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// record is what is kept of an event.
type record struct {
	ID        string    `json:"id"`
	Time      time.Time `json:"time"`
	UID       string    `json:"uid"`
	Credits   int64     `json:"credits"`
	Reference string    `json:"reference"`
}

// journal stands for the database of another service: a file with a line for each event. An event may come more than once, so its id
// is kept together with what was done about it, in one write; a database does so in one transaction, with a unique id. An id may be
// forgotten after 90 days: nothing older comes again.
type journal struct {
	*os.File

	size  int64
	known map[string]bool
}

// openJournal reads what is known. A last line without its end is what a process was writing when it died: its event was never
// acknowledged and comes again, so the line is written over.
func openJournal(path string) (*journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	j := &journal{File: file, known: map[string]bool{}}
	if err := j.load(); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return j, nil
}

func (j *journal) load() error {
	content, err := io.ReadAll(j)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(content) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		j.known[r.ID] = true
		j.size += int64(len(line))
	}
	return j.Truncate(j.size)
}

// keep writes the record and gives its line, or nil where the event is known. What was not written whole is written over.
func (j *journal) keep(r record) ([]byte, error) {
	if j.known[r.ID] {
		return nil, nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	line = append(line, '\n')
	if _, err := j.WriteAt(line, j.size); err != nil {
		return nil, err
	}
	if err := j.Sync(); err != nil {
		return nil, err
	}
	j.size += int64(len(line))
	j.known[r.ID] = true
	return line, nil
}
