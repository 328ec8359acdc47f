package markup

import htmltomarkdown "github.com/JohannesKaufmann/html-to-markdown/v2"

// Markdown of HTML that somebody sends: what Markdown has no word for loses its element and keeps its words; scripts, styles and
// the like go. Errors: where elements lie more than 512 deep in one another, as the parser has it.
func Markdown(source string) (string, error) { return htmltomarkdown.ConvertString(source) }
