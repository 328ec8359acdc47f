package page

import (
	"io"
	"text/template"
	"text/template/parse"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// try executes a template in every way that it can go, whatever an answer decides: a field that the answer does not have is found
// wherever the template names it. Escaping is html/template's, and is tried with the template itself.
func try(name string, html []byte, with filling) error {
	t, err := template.New(name).Funcs(functions).Funcs(wholeLogic).Option("missingkey=error").Parse(string(html))
	if err != nil {
		return err
	}
	goEveryWay(t.Root)
	return t.Execute(io.Discard, with)
}

// wholeLogic looks at every argument, where the template's own logic stops at the one that decides.
var wholeLogic = template.FuncMap{
	"and": func(all ...any) bool { return len(all) > 0 },
	"or":  func(all ...any) bool { return len(all) > 0 },
}

// goEveryWay puts in the place of each condition what it tests and both of its sides, and behind a list what it shows without an element.
func goEveryWay(list *parse.ListNode) []parse.Node {
	if list == nil {
		return nil
	}
	var all []parse.Node
	for _, node := range list.Nodes {
		switch n := node.(type) {
		case *parse.IfNode:
			all = append(all, &parse.ActionNode{NodeType: parse.NodeAction, Pos: n.Pos, Line: n.Line, Pipe: n.Pipe})
			all = append(append(all, goEveryWay(n.List)...), goEveryWay(n.ElseList)...)
		case *parse.RangeNode:
			goEveryWay(n.List)
			all = append(append(all, n), goEveryWay(n.ElseList)...)
		case *parse.WithNode:
			goEveryWay(n.List)
			all = append(append(all, n), goEveryWay(n.ElseList)...)
		default:
			all = append(all, n)
		}
	}
	list.Nodes = all
	return all
}

// full is an answer of that type with every text, every message and two elements of each list, as deep as the contract goes.
func full(empty proto.Message) proto.Message {
	answer := proto.Clone(empty)
	populate(answer.ProtoReflect())
	return answer
}

func populate(m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		switch {
		case field.IsMap():
		case field.IsList():
			extend(m.Mutable(field).List(), field)
		case field.Message() != nil:
			populate(m.Mutable(field).Message())
		case field.Kind() == protoreflect.StringKind:
			m.Set(field, protoreflect.ValueOfString("x"))
		}
	}
}

// extend appends two elements, since what follows the first may be shown in another way; none to a list of numbers.
func extend(list protoreflect.List, field protoreflect.FieldDescriptor) {
	for range 2 {
		switch {
		case field.Message() != nil:
			populate(list.AppendMutable().Message())
		case field.Kind() == protoreflect.StringKind:
			list.Append(protoreflect.ValueOfString("x"))
		}
	}
}
