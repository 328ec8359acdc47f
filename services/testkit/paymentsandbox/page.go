package paymentsandbox

import "net/http"

func (s *Sandbox) pages(mux *http.ServeMux) {}
