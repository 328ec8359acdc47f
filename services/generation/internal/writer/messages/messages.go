// Package messages asks models that are served as Anthropic serves its messages.
package messages

import (
	"context"
	"errors"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/shared"

	"serein.app/services/generation/internal/writer"
	"serein.app/services/generation/internal/writer/vendor"
)

// DefaultURL is Anthropic's own address.
const DefaultURL = "https://api.anthropic.com"

// Model is one model at one address.
type Model struct {
	messages anthropic.MessageService
	name     string
}

var _ writer.Model = (*Model)(nil)

// New makes the client. The address is that before "/v1/messages". Retries are the caller's, who knows how much time there is.
func New(address, key, name string) *Model {
	return &Model{name: name, messages: anthropic.NewMessageService(
		option.WithBaseURL(address), option.WithAPIKey(key), option.WithHTTPClient(vendor.Client()), option.WithMaxRetries(0),
	)}
}

// Stream asks the model.
func (m *Model) Stream(ctx context.Context, ask writer.Ask, text func(string) error) (used writer.Usage, err error) {
	stream := m.messages.NewStreaming(ctx, anthropic.MessageNewParams{
		Model: m.name, MaxTokens: int64(ask.MaxTokens), Messages: turns(ask),
		System: []anthropic.TextBlockParam{{Text: ask.System}},
	})
	defer func() { _ = stream.Close() }() // what it says has been read, or is not wanted
	stop, whole := anthropic.StopReason(""), false
	for stream.Next() {
		event := stream.Current()
		switch event.Type {
		case "message_start":
			u := event.Message.Usage
			used = writer.Usage{In: u.InputTokens + u.CacheCreationInputTokens + u.CacheReadInputTokens, Out: u.OutputTokens}
		case "content_block_delta":
			if event.Delta.Type == "text_delta" && event.Delta.Text != "" {
				if err := text(event.Delta.Text); err != nil {
					return used, err
				}
			}
		case "message_delta":
			stop, used.Out = event.Delta.StopReason, max(used.Out, event.Usage.OutputTokens)
		case "message_stop":
			whole = true
		}
	}
	if err := stream.Err(); err != nil {
		return used, failureOf(ctx, err)
	}
	return used, ended(ctx, stop, whole)
}

// turns in the form of the API.
func turns(ask writer.Ask) []anthropic.MessageParam {
	var said []anthropic.MessageParam
	for i, turn := range ask.Turns {
		if i%2 == 0 {
			said = append(said, anthropic.NewUserMessage(anthropic.NewTextBlock(turn)))
		} else {
			said = append(said, anthropic.NewAssistantMessage(anthropic.NewTextBlock(turn)))
		}
	}
	return said
}

// ended says whether the model came to its own end.
func ended(ctx context.Context, stop anthropic.StopReason, whole bool) error {
	switch {
	case stop == anthropic.StopReasonRefusal:
		return &writer.ModelError{Cause: writer.Refused, Detail: "refusal"}
	case stop == anthropic.StopReasonEndTurn && whole:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case stop == "" || !whole:
		return &writer.ModelError{Cause: writer.Half, Detail: "the stream ended early"}
	}
	return &writer.ModelError{Cause: writer.Half, Detail: "the model stopped early"}
}

// failureOf says what an error of the client means. An error within a stream has the status of the answer that the stream is,
// so its type counts.
func failureOf(ctx context.Context, err error) error {
	var answered *anthropic.Error
	if !errors.As(err, &answered) {
		return vendor.Unreachable(ctx, err)
	}
	switch answered.Type() {
	case shared.ErrorTypeOverloadedError, shared.ErrorTypeRateLimitError:
		f := vendor.FailureOf(http.StatusTooManyRequests, answered.Response.Header)
		f.Detail = string(answered.Type())
		return f
	case shared.ErrorTypeAPIError, shared.ErrorTypeTimeoutError:
		return &writer.ModelError{Cause: writer.Away, Again: true, Detail: string(answered.Type())}
	default: // the status says it
	}
	if answered.StatusCode < http.StatusBadRequest {
		return &writer.ModelError{Cause: writer.Away, Again: true, Detail: "an error within the stream"}
	}
	return vendor.FailureOf(answered.StatusCode, answered.Response.Header)
}
