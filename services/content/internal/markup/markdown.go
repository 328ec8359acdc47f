package markup

import htmltomarkdown "github.com/JohannesKaufmann/html-to-markdown/v2"

// Markdown converts a client's HTML. An element without a Markdown form is dropped and its text stays; scripts, styles and the like
// are removed. It returns an error for elements nested over 512 deep, the parser's limit.
func Markdown(source string) (string, error) { return htmltomarkdown.ConvertString(source) }
