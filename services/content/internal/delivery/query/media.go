package query

import (
	"slices"
)

// Media are groups of media types. A type that ends in / stands for all that begin so.
type Media struct {
	Types []string
	// Not says that the file must have none of them.
	Not bool
}

const office = "application/vnd."

// mediaGroups are the contract's groups. What belongs to none is an attachment.
var mediaGroups = map[string][]string{
	"plaintext":    {"text/plain"},
	"image":        {"image/"},
	"audio":        {"audio/"},
	"video":        {"video/"},
	"richtext":     {"application/msword", "application/rtf", "text/rtf", office + "openxmlformats-officedocument.wordprocessingml.document", office + "oasis.opendocument.text"},
	"presentation": {office + "ms-powerpoint", office + "openxmlformats-officedocument.presentationml.presentation", office + "oasis.opendocument.presentation"},
	"spreadsheet":  {"text/csv", office + "ms-excel", office + "openxmlformats-officedocument.spreadsheetml.sheet", office + "oasis.opendocument.spreadsheet"},
	"pdfdocument":  {"application/pdf"},
	"archive":      {"application/zip", "application/gzip", "application/x-tar", "application/x-7z-compressed", "application/x-bzip2", office + "rar"},
	"code":         {"application/json", "application/javascript", "text/javascript", "text/css", "text/x-python", "application/wasm"},
	"markup":       {"text/html", "text/xml", "application/xml", "application/xhtml+xml", "text/markdown"},
}

// media reads mimetype_group.
func (p *parser) media() error {
	if p.q.Of != Assets {
		return nil
	}
	name, ok := p.take("mimetype_group")
	if !ok {
		return nil
	}
	if name == "attachment" {
		p.q.Media = &Media{Not: true}
		for _, group := range sortedKeys(mediaGroups) {
			p.q.Media.Types = append(p.q.Media.Types, mediaGroups[group]...)
		}
		return nil
	}
	types, known := mediaGroups[name]
	if !known {
		return refuse(Detail{Name: "mimetype_group", Value: name, Details: "There is no such group of media types."})
	}
	p.q.Media = &Media{Types: slices.Clone(types)}
	return nil
}
