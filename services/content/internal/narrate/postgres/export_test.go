package postgres

// SoundFields are soundFields.
var SoundFields = soundFields
