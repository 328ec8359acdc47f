package export

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// archive is a copy that is ready to be written: all but the sound is in memory.
type archive struct {
	at    time.Time
	files []file
	sound []*meditation
}

// file is one of the archive, below its folder.
type file struct {
	name string
	body []byte
}

func newArchive(r *record, at time.Time) (*archive, error) {
	a := &archive{at: at.UTC()}
	page, err := r.page(a.at)
	if err != nil {
		return nil, err
	}
	a.files = append(a.files, file{"index.html", page})
	for _, d := range r.documents() {
		body, err := asJSON(d.content)
		if err != nil {
			return nil, err
		}
		a.files = append(a.files, file{d.File, body})
	}
	for _, m := range r.meditations {
		if text := m.transcript(); text != "" {
			a.files = append(a.files, file{m.Transcript(), []byte(text)})
		}
		if m.HasSound() {
			a.sound = append(a.sound, m)
		}
	}
	return a, nil
}

// asJSON is what programs read: the contract's own JSON, indented.
func asJSON(content any) ([]byte, error) {
	list, isList := content.([]proto.Message)
	if !isList {
		one, _ := content.(proto.Message)
		list = []proto.Message{one}
	}
	raw := make([]json.RawMessage, len(list))
	for i, m := range list {
		body, err := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(m)
		if err != nil {
			return nil, err
		}
		raw[i] = body
	}
	if isList {
		return json.MarshalIndent(raw, "", "  ")
	}
	return json.MarshalIndent(raw[0], "", "  ")
}

func (a *archive) folder() string   { return "serein-export-" + a.at.Format(time.DateOnly) }
func (a *archive) fileName() string { return a.folder() + ".zip" }

// write writes the ZIP. Texts are compressed; sound is as it is, since it would get no smaller.
func (a *archive) write(to io.Writer, copySound func(io.Writer, *meditation) error) error {
	z := zip.NewWriter(to)
	add := func(name string, method uint16, fill func(io.Writer) error) error {
		w, err := z.CreateHeader(&zip.FileHeader{Name: a.folder() + "/" + name, Method: method, Modified: a.at})
		if err != nil {
			return err
		}
		return fill(w)
	}
	for _, f := range a.files {
		if err := add(f.name, zip.Deflate, func(w io.Writer) error { _, err := w.Write(f.body); return err }); err != nil {
			return err
		}
	}
	for _, m := range a.sound {
		if err := add(m.Sound(), zip.Store, func(w io.Writer) error { return copySound(w, m) }); err != nil {
			return err
		}
	}
	return z.Close()
}

// zip64 is where sizes take more bytes, of which size knows nothing (APPNOTE.TXT 4.3.9.2).
const zip64 = 1<<32 - 1

// size in bytes of what write writes; 0 where that is not known before, beyond 4 GiB.
func (a *archive) size() (int64, error) {
	var n counter
	if err := a.write(&n, func(io.Writer, *meditation) error { return nil }); err != nil {
		return 0, err
	}
	for _, m := range a.sound {
		n += counter(m.bytes)
	}
	if n >= zip64 {
		return 0, nil
	}
	return int64(n), nil
}

// sendTime is how long a reader may take.
func (a *archive) sendTime() time.Duration {
	most := sendTime
	for _, m := range a.sound {
		most += time.Duration(m.bytes/leastRate) * time.Second
	}
	return most
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// name of a meditation's files: the day, what of its title every system takes, and the start of its id, which tells equal ones apart.
func (m *meditation) name() string {
	var words strings.Builder
	for _, r := range strings.ToLower(m.GetTitle()) {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			words.WriteRune(r)
		case !strings.HasSuffix(words.String(), "-"):
			words.WriteByte('-')
		}
	}
	const most = 60
	short := words.String()
	if len(short) > most {
		short = short[:most]
	}
	id := m.GetId()
	return strings.Join([]string{m.GetCreatedAt().AsTime().Format(time.DateOnly), strings.Trim(short, "-"), id[max(0, len(id)-8):]}, "-")
}

// Sound and Transcript are where a meditation's files are.
func (m *meditation) Sound() string      { return "audio/" + m.name() + ".mp3" }
func (m *meditation) Transcript() string { return "transcripts/" + m.name() + ".txt" }

// transcript is what was spoken; empty where nothing was written.
func (m *meditation) transcript() string {
	if !m.HasTranscript() {
		return ""
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s\n\n%s\n", m.GetTitle(), strings.Join(m.script.GetParagraphs(), "\n\n"))
	return text.String()
}

// HasSound and HasTranscript say which of them there are.
func (m *meditation) HasSound() bool      { return m.bytes > 0 }
func (m *meditation) HasTranscript() bool { return len(m.script.GetParagraphs()) > 0 }
