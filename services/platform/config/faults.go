package config

import (
	"errors"
	"fmt"
	"iter"
	"net"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// unread says which variables could not be read and what each should be. The library's own error names fields of structs; it
// stands where none of them is found.
func unread(of reflect.Type, set map[string]string, whole error) (faults []error) {
	for field := range variables(of) {
		alone := reflect.New(reflect.StructOf([]reflect.StructField{{Name: field.Name, Type: field.Type, Tag: field.Tag}}))
		err := env.ParseWithOptions(alone.Interface(), env.Options{Environment: set})
		var parse env.ParseError
		switch {
		case errors.As(err, &parse):
			faults = append(faults, fmt.Errorf("%s: want %s", nameOf(field), wanted(field.Type, parse.Err)))
		case err != nil:
			faults = append(faults, err)
		}
	}
	if len(faults) == 0 {
		return []error{whole}
	}
	return faults
}

// wanted says what a value of that type is. The library's words are left out where they would repeat the value.
func wanted(of reflect.Type, err error) string {
	if of == reflect.TypeFor[time.Duration]() {
		return "a duration such as 90s, 10m or 24h"
	}
	switch of.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	default:
		return err.Error()
	}
}

// malformed says which addresses are none. What may hold a password (URL) is judged by the package that dials it.
func malformed(v reflect.Value) (faults []error) {
	for field := range variables(v.Type()) {
		if field.Type != reflect.TypeFor[string]() {
			continue
		}
		value, name := v.FieldByIndex(field.Index).String(), nameOf(field)
		switch {
		case value == "":
		case strings.HasSuffix(name, "_URL") && !website(value):
			faults = append(faults, fmt.Errorf("%s: want an address such as https://serein.example", name))
		case strings.HasSuffix(name, "_ADDR") && !listening(value):
			faults = append(faults, fmt.Errorf("%s: want an address to listen at, such as 127.0.0.1:9000 or :9000", name))
		}
	}
	return faults
}

func website(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

func listening(address string) bool {
	_, port, err := net.SplitHostPort(address)
	return err == nil && port != ""
}

// variables are the fields that a variable fills, those of structs within the struct too, with their place in it.
func variables(of reflect.Type) iter.Seq[reflect.StructField] {
	return func(yield func(reflect.StructField) bool) {
		for i := range of.NumField() {
			field := of.Field(i)
			switch {
			case !field.IsExported():
			case field.Tag.Get("env") != "":
				if !yield(field) {
					return
				}
			case field.Type.Kind() == reflect.Struct:
				for inner := range variables(field.Type) {
					inner.Index = append(append([]int{}, field.Index...), inner.Index...)
					if !yield(inner) {
						return
					}
				}
			}
		}
	}
}

func nameOf(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
	return name
}
