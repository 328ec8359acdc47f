package narration

// Voice is a narrator that members can hear.
type Voice struct {
	// ID is the stable name that presets use; Name is what a member reads.
	ID, Name string
	// WordsPerMinute is the measured pace while speaking, breaths between sentences included.
	WordsPerMinute float64

	base              string
	stretch           float64
	pitch, pitchRange float64
}

// Defaults where no narrator, or an unknown one, is named.
const (
	DefaultVoiceOnly = "maren"
	DefaultImmersive = "isla"
)

// Voices lists all narrators.
func Voices() []Voice {
	return []Voice{
		{ID: "maren", Name: "Maren", WordsPerMinute: 118, base: "slt", stretch: 1.3},
		{ID: "isla", Name: "Isla", WordsPerMinute: 114, base: "slt", stretch: 1.35},
		{ID: "wren", Name: "Wren", WordsPerMinute: 122, base: "slt", stretch: 1.25},
		{ID: "tomas", Name: "Tomas", WordsPerMinute: 116, base: "rms", stretch: 1.3},
		{ID: "callum", Name: "Callum", WordsPerMinute: 118, base: "awb", stretch: 1.3},
		{ID: "ansel", Name: "Ansel", WordsPerMinute: 112, base: "rms", stretch: 1.35},
	}
}

// VoiceFor finds a narrator; an empty or unknown id gives the default of the kind of meditation.
func VoiceFor(id string, immersive bool) Voice {
	fallback := DefaultVoiceOnly
	if immersive {
		fallback = DefaultImmersive
	}
	var found Voice
	for _, v := range Voices() {
		if v.ID == id {
			return v
		}
		if v.ID == fallback {
			found = v
		}
	}
	return found
}
