package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"
)

// splitAtBoot finds the boot block and cuts the page around its content.
func splitAtBoot(index []byte) (before, after []byte, err error) {
	tokens := html.NewTokenizer(bytes.NewReader(index))
	offset := 0
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return nil, nil, endOf(tokens, errNoBoot)
		}
		offset += len(tokens.Raw())
		if kind != html.StartTagToken {
			continue
		}
		tag := tokens.Token()
		if tag.Data != "script" || attribute(tag, "id") != "boot" || attribute(tag, "type") != "application/json" {
			continue
		}
		end := bytes.Index(index[offset:], []byte("</script"))
		if end < 0 {
			return nil, nil, errNoBoot
		}
		return index[:offset], index[offset+end:], nil
	}
}

// contentPolicy is the page's policy: our own files, and the inline scripts and styles that the
// build put into index.html, each by its hash. 'unsafe-inline' is nowhere.
func contentPolicy(index []byte) (string, error) {
	scripts, styles := []string{"'self'"}, []string{"'self'"}
	tokens := html.NewTokenizer(bytes.NewReader(index))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			break
		}
		if kind != html.StartTagToken {
			continue
		}
		switch tag := tokens.Token(); {
		case tag.Data == "script" && attribute(tag, "src") == "" && !isData(attribute(tag, "type")):
			scripts = append(scripts, inlineHash(tokens))
		case tag.Data == "style":
			styles = append(styles, inlineHash(tokens))
		}
	}
	if err := endOf(tokens, nil); err != nil {
		return "", err
	}
	return strings.Join([]string{
		"default-src 'none'",
		"script-src " + strings.Join(scripts, " "),
		"style-src " + strings.Join(styles, " "),
		"img-src 'self' data:",
		"font-src 'self'",
		"connect-src 'self'",
		"media-src 'self' blob:",
		"manifest-src 'self'",
		"worker-src 'self'",
		"form-action 'self'",
		"frame-ancestors 'none'",
		"base-uri 'none'",
		"object-src 'none'",
	}, "; "), nil
}

// isData: a block that no browser runs.
func isData(scriptType string) bool {
	return scriptType == "application/json" || scriptType == "application/ld+json"
}

func inlineHash(tokens *html.Tokenizer) string {
	var text []byte
	if tokens.Next() == html.TextToken {
		text = tokens.Raw()
	}
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func endOf(tokens *html.Tokenizer, otherwise error) error {
	if err := tokens.Err(); !errors.Is(err, io.EOF) {
		return err
	}
	return otherwise
}

func attribute(tag html.Token, name string) string {
	for _, a := range tag.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// escapeForScript makes JSON safe inside <script>: no "<" or ">" can end the block or open a
// comment, no "&" is an entity, and the two line separators that are not JavaScript are gone.
func escapeForScript(json []byte) []byte {
	if !bytes.ContainsAny(json, "<>&") && !bytes.Contains(json, []byte("\u2028")) && !bytes.Contains(json, []byte("\u2029")) {
		return json // looked for apart: the search for a set of ASCII is many times as fast
	}
	return []byte(scriptEscapes.Replace(string(json)))
}

var scriptEscapes = strings.NewReplacer(
	"<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "\u2028", `\u2028`, "\u2029", `\u2029`,
)
