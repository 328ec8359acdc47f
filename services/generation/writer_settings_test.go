package generation

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/script"
	"serein.app/services/generation/internal/writer"
)

func outsideWriter(change func(*WriterConfig)) WriterConfig {
	c := WriterConfig{
		Writer: "anthropic", WriterRecipient: "A vendor", WriterKey: "sk-ant-0123456789abcdef0123456789abcdef", WriterModel: "model-1", WriterAtOnce: 8,
		WriterFirst: 5 * time.Second, WriterTime: 45 * time.Second, WriterPriceIn: 3, WriterPriceOut: 15, WriterBudgetDay: 50, WriterBudgetMember: 0.5,
	}
	change(&c)
	return c
}

func TestAWriterOutsideNeedsSettingsThatWork(t *testing.T) {
	t.Parallel()
	require.NoError(t, WriterConfig{Writer: "built-in"}.validate())
	require.NoError(t, outsideWriter(func(*WriterConfig) {}).validate())
	require.NoError(t, outsideWriter(func(c *WriterConfig) {
		c.Writer, c.WriterURL, c.WriterRecipient, c.WriterKey, c.WriterPriceIn, c.WriterPriceOut = "openai", "http://vllm:8000/v1", "", "", 0, 0
		c.WriterBudgetDay, c.WriterBudgetMember = 0, 0
	}).validate(), "a server of one's own")
	for says, change := range map[string]func(*WriterConfig){
		"WRITER: want":             func(c *WriterConfig) { c.Writer = "gpt" },
		"WRITER_MODEL: ":           func(c *WriterConfig) { c.WriterModel = "" },
		"WRITER_KEY: ":             func(c *WriterConfig) { c.WriterKey = "" },
		"WRITER_URL: ":             func(c *WriterConfig) { c.WriterURL = "https://a.example/v1?key=1" },
		"a key crosses http":       func(c *WriterConfig) { c.WriterURL = "http://models.example/v1" },
		"WRITER_RECIPIENT: ":       func(c *WriterConfig) { c.WriterURL, c.WriterRecipient = "https://models.example/v1", "" },
		"WRITER_AT_ONCE: ":         func(c *WriterConfig) { c.WriterAtOnce = 0 },
		"WRITER_FIRST: ":           func(c *WriterConfig) { c.WriterFirst = time.Minute },
		"WRITER_TIME: ":            func(c *WriterConfig) { c.WriterTime = time.Hour },
		"want 0 or more":           func(c *WriterConfig) { c.WriterPriceIn, c.WriterURL = -1, "https://a.example/v1" },
		"a vendor has prices":      func(c *WriterConfig) { c.WriterPriceOut = 0 },
		"WRITER_BUDGET_MEMBER: a":  func(c *WriterConfig) { c.WriterBudgetMember = 51 },
		"WRITER_FIRST: want 100ms": func(c *WriterConfig) { c.WriterFirst = 0 },
	} {
		err := outsideWriter(change).validate()
		require.ErrorContains(t, err, says)
		require.Len(t, strings.Split(err.Error(), "\n"), 1, says)
	}
}

func TestTheKeyIsNotPrinted(t *testing.T) {
	t.Parallel()
	c := outsideWriter(func(*WriterConfig) {})
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		require.NotContains(t, fmt.Sprintf(format, c), "0123456789", format)
	}
}

func TestTheBuiltInWriterIsTheDefault(t *testing.T) {
	t.Parallel()
	require.Equal(t, script.Composer{}, writerOf(nil, WriterConfig{Writer: "built-in"}, script.Composer{}, nil, nil))
	require.IsType(t, &writer.Writer{}, writerOf(nil, outsideWriter(func(*WriterConfig) {}), script.Composer{}, nil, nil))
}

func TestMembersReadWhoGetsTheirTitles(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]WriterConfig{
		"":                {Writer: "built-in", WriterRecipient: "Nobody asks them"},
		"OpenAI":          {Writer: "openai"},
		"Anthropic":       {Writer: "anthropic"},
		"OpenAI (Sweden)": {Writer: "openai", WriterRecipient: "OpenAI (Sweden)"},
		"Mistral":         {Writer: "openai", WriterURL: "https://models.example/v1", WriterRecipient: "Mistral"},
	} {
		require.Equal(t, want, c.recipient())
	}
	require.Empty(t, WriterConfig{Writer: "openai", WriterURL: "http://vllm:8000/v1"}.recipient(), "a server in the cluster")
}

// A key may cross http inside the cluster, as titles do.
func TestAKeyMayCrossHTTPInsideTheCluster(t *testing.T) {
	t.Parallel()
	require.NoError(t, outsideWriter(func(c *WriterConfig) { c.Writer, c.WriterURL = "openai", "http://vllm:8000/v1" }).validate())
}
