// A reverse proxy based on Go's httputil.ReverseProxy, with one connection to the service:
// `reverse-proxy <address> <service URL>`.
package main

import (
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
)

func main() {
	service, err := url.Parse(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(service)
	proxy.Transport = &http.Transport{MaxConnsPerHost: 1, MaxIdleConnsPerHost: 1}
	log.Fatal(http.ListenAndServe(os.Args[1], proxy))
}
