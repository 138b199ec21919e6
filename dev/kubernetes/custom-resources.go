// Package kubernetes pins the Go modules of the tools that check the Helm chart. The imports keep the types of custom
// resources in go.mod; controller-gen makes their definitions from these types.
package kubernetes

import (
	_ "github.com/kedacore/keda/v2/apis/keda/v1alpha1"
	_ "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
)
