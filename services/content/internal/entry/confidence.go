package entry

// ConfidencesField has, by the ids of categories, how sure the classifier was of those that it found, in per cent. No editor
// edits it: what an editor has filed under another category stands there without one.
const ConfidencesField = "confidences"

// Certain is the confidence, in per cent, with which people file something.
const Certain = 100

// Confidence is how sure it is, in per cent, that an item belongs to one of its categories.
func (f Fields) Confidence(category, locale string) int {
	found, _ := f[ConfidencesField][locale].(map[string]any)
	if confidence, ok := found[category].(float64); ok {
		return int(confidence)
	}
	return Certain
}
