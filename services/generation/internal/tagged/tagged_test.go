package tagged_test

import (
	"bytes"
	"encoding/binary"
	"image/png"
	"io"
	"mime"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	gomp3 "github.com/hajimehoshi/go-mp3"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"

	"serein.app/services/generation/internal/tagged"
	"serein.app/services/sound/mp3"
	"serein.app/services/testkit"
)

var tags = tagged.Tags{
	Title: "Bäume, 木 & sea", Narrator: "Maren", Made: time.Date(2026, 11, 30, 23, 59, 0, 0, time.UTC), Length: 215 * time.Second,
}

// frames reads an ID3v2.3 tag after its specification; rest is what follows.
func frames(t *testing.T, data []byte) (found map[string][]byte, rest []byte) {
	t.Helper()
	require.Equal(t, "ID3\x03\x00\x00", string(data[:6]))
	size := 0
	for _, b := range data[6:10] {
		require.Less(t, b, byte(0x80))
		size = size<<7 | int(b)
	}
	found = map[string][]byte{}
	tag, rest := data[10:10+size], data[10+size:]
	for len(tag) > 0 {
		length := binary.BigEndian.Uint32(tag[4:8])
		require.Equal(t, []byte{0, 0}, tag[8:10])
		found[string(tag[:4])] = tag[10 : 10+length]
		tag = tag[10+length:]
	}
	return found, rest
}

func TestTagNamesTheRecording(t *testing.T) {
	t.Parallel()
	found, rest := frames(t, tagged.Head(tags, 192))
	for name, want := range map[string]string{
		"TIT2": "Bäume, 木 & sea", "TPE1": "Maren", "TALB": "Serein", "TYER": "2026", "TDAT": "3011", "TLEN": "215000",
	} {
		require.Equal(t, byte(1), found[name][0], name)
		text, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(found[name][1:])
		require.NoError(t, err)
		require.Equal(t, want, string(text), name)
	}
	const before = "\x00image/png\x00\x03\x00"
	cover := found["APIC"]
	require.True(t, strings.HasPrefix(string(cover), before))
	require.Less(t, len(cover), 40_000)
	picture, err := png.Decode(bytes.NewReader(cover[len(before):]))
	require.NoError(t, err)
	require.Equal(t, 480, picture.Bounds().Dx())
	require.Equal(t, 480, picture.Bounds().Dy())
	require.NotEqual(t, picture.At(0, 0), picture.At(240, 303), "the disc")
	require.Len(t, rest, 192)
	require.Len(t, found, 7)
}

// A player that knows the Info tag reads the exact length there; one that does not plays 24 ms of silence first.
func TestInfoFrameIsAFrameOfTheRecordingsOwnKind(t *testing.T) {
	t.Parallel()
	code, err := os.ReadFile(testkit.Part(t, "mp3.wasm"))
	require.NoError(t, err)
	codec, err := mp3.Open(t.Context(), code, "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, codec.Close(t.Context())) })
	encoder, err := codec.NewEncoder(t.Context(), mp3.Config{Rate: 24000, Channels: 1, BitrateKbps: 64})
	require.NoError(t, err)
	sound, err := encoder.Encode(t.Context(), make([]float32, 24000))
	require.NoError(t, err)
	last, err := encoder.Flush(t.Context())
	require.NoError(t, err)
	require.NoError(t, encoder.Close(t.Context()))
	sound = append(sound, last...)

	head := tagged.Head(tags, int64(len(sound)))
	_, info := frames(t, head)
	require.Equal(t, sound[:4], info[:4], "the header of the recording's frames")
	require.Equal(t, "Info", string(info[13:17]))
	require.EqualValues(t, 3, binary.BigEndian.Uint32(info[17:21]))
	require.EqualValues(t, len(sound)/192, binary.BigEndian.Uint32(info[21:25]))
	require.EqualValues(t, len(sound)+192, binary.BigEndian.Uint32(info[25:29]))

	decoder, err := gomp3.NewDecoder(bytes.NewReader(append(head, sound...)))
	require.NoError(t, err)
	pcm, err := io.ReadAll(decoder)
	require.NoError(t, err)
	alone, err := gomp3.NewDecoder(bytes.NewReader(sound))
	require.NoError(t, err)
	want, err := io.ReadAll(alone)
	require.NoError(t, err)
	const frame = 576 * 4 // bytes of a decoded frame
	require.Len(t, pcm, len(want)+frame)
	require.Equal(t, make([]byte, frame), pcm[:frame])
}

func TestFileReadsAndSeeksAsOne(t *testing.T) {
	t.Parallel()
	head, sound := []byte("the head, "), []byte("and then the sound of the sea")
	file := tagged.NewFile(head, bytes.NewReader(sound), int64(len(sound)))
	require.NoError(t, iotest.TestReader(file, append(head, sound...)))
	_, err := file.Seek(-1, io.SeekStart)
	require.Error(t, err)
}

func TestFileIsNamedByItsTitle(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"After the long meeting":   "After the long meeting – Serein.mp3",
		"Ruhe für 木\n100%":         "Ruhe für 木 100% – Serein.mp3",
		`../../etc/passwd`:         "etc-passwd – Serein.mp3",
		`C:\con "quoted" <a|b>?*.`: "C--con -quoted- -a-b – Serein.mp3",
		"\u202egnp.exe":            "gnp.exe – Serein.mp3",
		"  ...  ":                  "Meditation – Serein.mp3",
		strings.Repeat("木", 200):   strings.Repeat("木", 60) + " – Serein.mp3",
	} {
		header := tagged.Disposition(title)
		kind, parameters, err := mime.ParseMediaType(strings.ReplaceAll(header, "filename=", "plain="))
		require.NoError(t, err, header)
		require.Equal(t, "attachment", kind)
		require.Equal(t, want, parameters["filename"], header)
		require.Regexp(t, `^[ !#-$&-\[\]-~]+ - Serein\.mp3$`, parameters["plain"])
	}
}
