package safety

// ClassifyBy reads a title with another classifier.
var ClassifyBy = classify
