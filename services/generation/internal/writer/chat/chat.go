// Package chat asks models that are served as OpenAI serves its chat completions: OpenAI itself, other vendors, and servers of
// one's own such as vLLM, llama.cpp and Ollama.
package chat

import (
	"context"
	"errors"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"serein.app/services/generation/internal/writer"
	"serein.app/services/generation/internal/writer/vendor"
)

// DefaultURL is OpenAI's own address.
const DefaultURL = "https://api.openai.com/v1"

// Model is one model at one address.
type Model struct {
	completions openai.ChatCompletionService
	name        string
}

var _ writer.Model = (*Model)(nil)

// New makes the client. The address is that before "/chat/completions"; a server of one's own may need no key. Retries are the
// caller's, who knows how much time there is.
func New(address, key, name string) *Model {
	return &Model{name: name, completions: openai.NewChatCompletionService(
		option.WithBaseURL(address), option.WithAPIKey(key), option.WithHTTPClient(vendor.Client()), option.WithMaxRetries(0),
	)}
}

// Stream asks the model.
func (m *Model) Stream(ctx context.Context, ask writer.Ask, text func(string) error) (used writer.Usage, err error) {
	stream := m.completions.NewStreaming(ctx, openai.ChatCompletionNewParams{
		Model: m.name, Messages: messages(ask), MaxCompletionTokens: openai.Int(int64(ask.MaxTokens)),
		StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
	})
	defer func() { _ = stream.Close() }() // what it says has been read, or is not wanted
	finish := ""
	for stream.Next() {
		chunk := stream.Current()
		if chunk.Usage.TotalTokens > 0 {
			used = writer.Usage{In: chunk.Usage.PromptTokens, Out: chunk.Usage.CompletionTokens}
		}
		for _, choice := range chunk.Choices {
			if choice.Delta.Refusal != "" {
				return used, &writer.ModelError{Cause: writer.Refused, Detail: "refusal"}
			}
			if choice.Delta.Content != "" {
				if err := text(choice.Delta.Content); err != nil {
					return used, err
				}
			}
			if choice.FinishReason != "" {
				finish = choice.FinishReason
			}
		}
	}
	if err := stream.Err(); err != nil {
		return used, failureOf(ctx, err)
	}
	return used, ended(ctx, finish)
}

// messages in the form of the API.
func messages(ask writer.Ask) []openai.ChatCompletionMessageParamUnion {
	said := []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(ask.System)}
	for i, turn := range ask.Turns {
		if i%2 == 0 {
			said = append(said, openai.UserMessage(turn))
		} else {
			said = append(said, openai.AssistantMessage(turn))
		}
	}
	return said
}

// ended says whether the model came to its own end.
func ended(ctx context.Context, finish string) error {
	switch finish {
	case "stop":
		return nil
	case "content_filter":
		return &writer.ModelError{Cause: writer.Refused, Detail: "moderation"}
	case "":
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return &writer.ModelError{Cause: writer.Half, Detail: "the stream ended early"}
	default:
		return &writer.ModelError{Cause: writer.Half, Detail: "the model stopped early"}
	}
}

// moderated are the codes with which vendors refuse what is asked.
var moderated = map[string]bool{"content_filter": true, "content_policy_violation": true, "moderation_blocked": true}

// failureOf says what an error of the client means.
func failureOf(ctx context.Context, err error) error {
	var answered *openai.Error
	var broken *ssestream.StreamError
	switch {
	case errors.As(err, &answered) && moderated[answered.Code]:
		return &writer.ModelError{Cause: writer.Refused, Detail: "moderation"}
	case errors.As(err, &answered):
		return vendor.FailureOf(answered.StatusCode, answered.Response.Header)
	case errors.As(err, &broken):
		return &writer.ModelError{Cause: writer.Away, Again: true, Detail: "an error within the stream"}
	}
	return vendor.Unreachable(ctx, err)
}
