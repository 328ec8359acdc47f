package access

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// Method is one RPC of a contract.
type Method struct {
	// Contract is the middle of its package: billing of serein.billing.v1.
	Contract string
	// Service is the full name of its service, Procedure its path.
	Service, Procedure string
	// Input is what a request is made of.
	Input protoreflect.MessageDescriptor
}

// Methods are all RPCs of all contracts, by procedure. The programs that the stack runs have linked
// every contract into this one; a test compares with the tree.
func Methods() []Method {
	var found []Method
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		contract, ours := strings.CutPrefix(string(file.Package()), "serein.")
		if !ours {
			return true
		}
		contract, _, _ = strings.Cut(contract, ".")
		for i := range file.Services().Len() {
			service := file.Services().Get(i)
			for j := range service.Methods().Len() {
				method := service.Methods().Get(j)
				found = append(found, Method{
					Contract: contract, Service: string(service.FullName()), Input: method.Input(),
					Procedure: fmt.Sprintf("/%s/%s", service.FullName(), method.Name()),
				})
			}
		}
		return true
	})
	slices.SortFunc(found, func(a, b Method) int { return strings.Compare(a.Procedure, b.Procedure) })
	return found
}

// ServicesOf are the full names of the services that a contract has.
func ServicesOf(contract string) []string {
	var names []string
	for _, m := range Methods() {
		if m.Contract == contract && !slices.Contains(names, m.Service) {
			names = append(names, m.Service)
		}
	}
	return names
}
