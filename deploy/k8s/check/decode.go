package check

import (
	"errors"
	"fmt"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/yaml"
)

// Object is one of the rendered objects.
type Object interface {
	runtime.Object
	metav1.Object
}

// decoder knows the types of Kubernetes, of the Gateway API and of the Prometheus operator, and the schemas of the custom resources in crds.
type decoder struct {
	typed   runtime.Decoder
	schemas schemas
}

func newDecoder() (*decoder, error) {
	scheme := runtime.NewScheme()
	var faults []error
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, autoscalingv2.AddToScheme, batchv1.AddToScheme, corev1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme,
		gatewayv1.Install, monitoringv1.AddToScheme,
	} {
		faults = append(faults, add(scheme))
	}
	custom, err := readSchemas()
	options := json.SerializerOptions{Yaml: true, Strict: true}
	return &decoder{json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, options), custom}, errors.Join(append(faults, err)...)
}

// decode refuses a field that its type does not have, or that stands there twice, and a kind that nobody knows.
func (d *decoder) decode(document []byte) (Object, error) {
	var kind metav1.TypeMeta
	if err := yaml.Unmarshal(document, &kind); err != nil {
		return nil, err
	}
	if schema, ok := d.schemas[kind.GroupVersionKind()]; ok {
		return decodeCustom(document, schema)
	}
	object, _, err := d.typed.Decode(document, nil, nil)
	if err != nil {
		return nil, err
	}
	found, ok := object.(Object)
	if !ok {
		return nil, fmt.Errorf("%s has no metadata", kind.Kind)
	}
	return found, nil
}

func decodeCustom(document []byte, schema *customSchema) (Object, error) {
	text, err := yaml.YAMLToJSONStrict(document)
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	return object, schema.validate(object.Object)
}
