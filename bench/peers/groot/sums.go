package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"syscall"
	"time"

	"go-hep.org/x/hep/groot"
	_ "go-hep.org/x/hep/groot/riofs/plugin/http"
	"go-hep.org/x/hep/groot/rtree"
)

// number is what a leaf of numbers is read into.
type number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

func sumOfList[T number](list *[]T) func() (int, float64) {
	return func() (int, float64) {
		sum := 0.0
		for _, value := range *list {
			sum += float64(value)
		}
		return len(*list), sum
	}
}

func sumOfOne[T number](value *T) func() (int, float64) {
	return func() (int, float64) { return 1, float64(*value) }
}

// sumOfAny counts and adds the values of other types by reflection.
func sumOfAny(v reflect.Value) (int, float64) {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		count, sum := 0, 0.0
		for i := 0; i < v.Len(); i++ {
			n, s := sumOfAny(v.Index(i))
			count, sum = count+n, sum+s
		}
		return count, sum
	case reflect.Bool:
		if v.Bool() {
			return 1, 1
		}
		return 1, 0
	case reflect.String:
		return 1, float64(v.Len())
	default:
		return 1, v.Convert(reflect.TypeOf(0.0)).Float()
	}
}

func summer(value any) func() (int, float64) {
	switch v := value.(type) {
	case *float32:
		return sumOfOne(v)
	case *float64:
		return sumOfOne(v)
	case *int32:
		return sumOfOne(v)
	case *uint32:
		return sumOfOne(v)
	case *uint8:
		return sumOfOne(v)
	case *[]float32:
		return sumOfList(v)
	case *[]float64:
		return sumOfList(v)
	case *[]int32:
		return sumOfList(v)
	case *[]uint8:
		return sumOfList(v)
	}
	element := reflect.ValueOf(value).Elem()
	return func() (int, float64) { return sumOfAny(element) }
}

// sums adds the values of branches: sums FILE_OR_URL TREE LIST [sums=OUT]
func sums(args []string) error {
	text, err := os.ReadFile(args[2])
	if err != nil {
		return err
	}
	names := strings.Fields(string(text))
	start := time.Now()
	file, err := groot.Open(args[0])
	if err != nil {
		return err
	}
	object, err := file.Get(args[1])
	if err != nil {
		return err
	}
	tree := object.(rtree.Tree)
	known := map[string]rtree.ReadVar{}
	for _, one := range rtree.NewReadVars(tree) {
		known[one.Name] = one
	}
	var vars []rtree.ReadVar
	var add []func() (int, float64)
	for _, name := range names {
		one, ok := known[name]
		if !ok {
			return fmt.Errorf("no branch %s", name)
		}
		vars = append(vars, one)
		add = append(add, summer(one.Value))
	}
	counts, totals := make([]int, len(vars)), make([]float64, len(vars))
	reader, err := rtree.NewReader(tree, vars)
	if err != nil {
		return err
	}
	defer reader.Close()
	err = reader.Read(func(rtree.RCtx) error {
		for i, of := range add {
			count, sum := of()
			counts[i] += count
			totals[i] += sum
		}
		return nil
	})
	if err != nil {
		return err
	}
	wall := time.Since(start).Seconds()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return err
	}
	cpu := float64(used.Utime.Sec+used.Stime.Sec) + 1e-6*float64(used.Utime.Usec+used.Stime.Usec)
	if len(args) > 3 {
		found := map[string][2]float64{}
		for i, name := range names {
			found[name] = [2]float64{float64(counts[i]), totals[i]}
		}
		text, _ := json.Marshal(found)
		if err := os.WriteFile(strings.TrimPrefix(args[3], "sums="), text, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("{\"wall_s\": %f, \"cpu_s\": %f, \"rss_mb\": %f}\n", wall, cpu, float64(used.Maxrss)/1024)
	return nil
}
