package markup

import htmltomarkdown "github.com/JohannesKaufmann/html-to-markdown/v2"

// Markdown of HTML that somebody sends: what Markdown has no word for loses its element and keeps its words; scripts, styles and
// the like go.
func Markdown(source string) string {
	text, err := htmltomarkdown.ConvertString(source)
	if err != nil {
		return "" // only a converter without plug-ins fails
	}
	return text
}
