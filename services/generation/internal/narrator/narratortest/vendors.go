package narratortest

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// Key that the stand-ins ask for.
const Key = "a-key-of-32-characters-and-more-x"

// OpenAI answers as OpenAI's reference of "Create speech" says, and Kokoro-FastAPI's source.
var OpenAI = Vendor{Route: "POST /v1/audio/speech", Answer: func(r Request) (int, string, []byte) {
	refuse := func(status int, kind, message string) (int, string, []byte) {
		return status, "application/json", fmt.Appendf(nil, `{"error":{"message":%q,"type":%q,"param":null,"code":null}}`, message, kind)
	}
	input, _ := r.Body["input"].(string)
	voice, _ := r.Body["voice"].(string)
	speed, set := r.Body["speed"].(float64)
	switch {
	case r.Header.Get("Authorization") != "Bearer "+Key:
		return refuse(http.StatusUnauthorized, "invalid_request_error", "Incorrect API key provided.")
	case r.Body["model"] == nil || input == "" || len(input) > 4096 || voice == "":
		return refuse(http.StatusBadRequest, "invalid_request_error", "A field is missing.")
	case set && (speed < 0.25 || speed > 4):
		return refuse(http.StatusBadRequest, "invalid_request_error", "The speed is out of range.")
	case r.Body["response_format"] == "pcm":
		return http.StatusOK, "audio/pcm", PCM(input, 24000)
	case r.Body["response_format"] == "wav":
		return http.StatusOK, "audio/wav", WAV(PCM(input, 22050), 22050, 0xffffffff)
	}
	return http.StatusOK, "audio/mpeg", []byte("ID3")
}}

var elevenVoice = regexp.MustCompile(`^/v1/text-to-speech/[A-Za-z0-9]{20}$`)

// ElevenLabs answers as its reference of "Create speech" says.
var ElevenLabs = Vendor{Route: "POST /v1/text-to-speech/{voice}", Answer: func(r Request) (int, string, []byte) {
	refuse := func(status int, why string) (int, string, []byte) {
		return status, "application/json", fmt.Appendf(nil, `{"detail":{"status":%q,"message":"No."}}`, why)
	}
	text, _ := r.Body["text"].(string)
	settings, _ := r.Body["voice_settings"].(map[string]any)
	speed, set := settings["speed"].(float64)
	switch {
	case r.Header.Get("Xi-Api-Key") != Key:
		return refuse(http.StatusUnauthorized, "invalid_api_key")
	case !elevenVoice.MatchString(r.URL.Path):
		return refuse(http.StatusNotFound, "voice_not_found")
	case text == "" || r.Body["model_id"] == nil || set && (speed < 0.7 || speed > 1.2):
		return refuse(http.StatusUnprocessableEntity, "invalid_parameters")
	case r.URL.Query().Get("output_format") == "pcm_24000":
		return http.StatusOK, "audio/pcm", PCM(text, 24000)
	}
	return http.StatusOK, "audio/mpeg", []byte("ID3")
}}

// Polly answers as its reference of SynthesizeSpeech says.
var Polly = Vendor{Route: "POST /v1/speech", Answer: func(r Request) (int, string, []byte) {
	text, _ := r.Body["Text"].(string)
	switch {
	case !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=AKIATEST/"):
		return http.StatusForbidden, "application/json", []byte(`{"message":"The security token included in the request is invalid."}`)
	case r.Body["OutputFormat"] != "pcm" || r.Body["SampleRate"] != "16000" || text == "" || r.Body["VoiceId"] == nil:
		return http.StatusBadRequest, "application/json", []byte(`{"message":"Invalid"}`)
	}
	text = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(text, "")
	return http.StatusOK, "audio/pcm", PCM(text, 16000)
}}
