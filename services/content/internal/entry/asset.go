package entry

import (
	"regexp"
	"strings"
)

// Asset is the content type of all assets, in every environment. No table holds it.
func Asset() ContentType {
	return ContentType{ID: "asset", asset: true, Name: "Asset", DisplayField: "title", Fields: []Field{
		{ID: "title", Name: "Title", Type: Symbol, Localized: true},
		{ID: "description", Name: "Description", Type: Text, Localized: true},
		// The upload writes this field; editors cannot.
		{ID: "file", Name: "File", Type: Object, Localized: true, Required: true, Disabled: true},
	}}
}

// File is what an asset's field `file` holds. The bytes are in the blob store.
type File struct {
	URL         string `json:"url"` // without a scheme: //host/path
	FileName    string `json:"fileName"`
	ContentType string `json:"contentType"` // a media type
	Size        int64  // in bytes
	// Width and Height of pictures, in pixels; 0 for others.
	Width, Height int
}

// Value is the file as fields hold it.
func (f File) Value() map[string]any {
	details := map[string]any{"size": float64(f.Size)}
	if f.Width > 0 {
		details["image"] = map[string]any{"width": float64(f.Width), "height": float64(f.Height)}
	}
	return map[string]any{"url": f.URL, "fileName": f.FileName, "contentType": f.ContentType, "details": details}
}

// AssetRoot begins the addresses of files that content stores. The code that answers readers replaces its host by the media host.
const AssetRoot = "//serein/media/assets/"

// AssetURL is the address of a stored file: hash is the SHA-256 of its bytes.
func AssetURL(hash, name string) string { return AssetRoot + hash + "/" + name }

var assetPath = regexp.MustCompile(`^([0-9a-f]{64})/([a-z0-9][a-z0-9-]*\.[a-z0-9]+)$`)

// AssetOf parses an AssetURL; ok is false when content does not store the file.
func AssetOf(url string) (hash, name string, ok bool) {
	path, kept := strings.CutPrefix(url, AssetRoot)
	parts := assetPath.FindStringSubmatch(path)
	if !kept || parts == nil {
		return "", "", false
	}
	return parts[1], parts[2], true
}

// OnHost is an asset's url, or any text that has it in it, on the host that readers ask.
func OnHost(host, text string) string {
	return strings.Replace(text, AssetRoot, "//"+host+strings.TrimPrefix(AssetRoot, "//serein"), 1)
}

var mediaType = regexp.MustCompile(`^[a-z]+/[a-zA-Z0-9.+-]+$`)

// checkFile finds a file that lacks what readers rely on.
func checkFile(locale string, value any, faults *FieldErrors) {
	file, _ := value.(map[string]any)
	details, _ := file["details"].(map[string]any)
	url, _ := file["url"].(string)
	name, _ := file["fileName"].(string)
	media, _ := file["contentType"].(string)
	size, _ := details["size"].(float64)
	if !strings.HasPrefix(url, "//") || name == "" || !mediaType.MatchString(media) || size <= 0 {
		faults.add("file", locale, "type", "A file has a url that begins with //, a fileName, a contentType and details with its size in bytes.")
	}
}
