// Reads a file with groot: judge FILE; prints a JSON object, from "TREE BRANCH" to a digest of all values.
package main

import (
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"reflect"
	"strings"

	"go-hep.org/x/hep/groot"
	"go-hep.org/x/hep/groot/riofs"
	"go-hep.org/x/hep/groot/root"
	"go-hep.org/x/hep/groot/rtree"
)

// plain says whether printing a value shows all of it, and no address.
func plain(kind reflect.Type) bool {
	switch kind.Kind() {
	case reflect.Slice, reflect.Array:
		return plain(kind.Elem())
	case reflect.Struct:
		for i := 0; i < kind.NumField(); i++ {
			if !plain(kind.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return false
	}
	return true
}

func digest(tree rtree.Tree, variable rtree.ReadVar) (text string, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%v", fault)
		}
	}()
	value := reflect.ValueOf(variable.Value).Elem()
	if !plain(value.Type()) {
		return "", fmt.Errorf("a value with addresses")
	}
	reader, err := rtree.NewReader(tree, []rtree.ReadVar{variable})
	if err != nil {
		return "", err
	}
	defer reader.Close()
	hash, entries := sha1.New(), 0
	err = reader.Read(func(rtree.RCtx) error {
		fmt.Fprintf(hash, "%v\n", value.Interface())
		entries++
		return nil
	})
	return fmt.Sprintf("%d %x", entries, hash.Sum(nil)), err
}

func variables(tree rtree.Tree) (all []rtree.ReadVar) {
	defer func() {
		if recover() != nil {
			all = nil
		}
	}()
	return rtree.NewReadVars(tree)
}

func main() {
	file, err := groot.Open(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	digests := map[string]string{}
	top := path.Clean(file.Name()) + "/"
	err = riofs.Walk(file, func(at string, object root.Object, err error) error {
		tree, ok := object.(rtree.Tree)
		if err != nil || !ok {
			return nil
		}
		for _, variable := range variables(tree) {
			if text, err := digest(tree, variable); err == nil {
				digests[strings.TrimPrefix(at, top)+" "+variable.Name+" "+variable.Leaf] = text
			}
		}
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(digests)
}
