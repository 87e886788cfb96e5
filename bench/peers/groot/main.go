// The histograms of bench/selectors.mjs by groot on one thread: groot QUERY LIST OUT
// LIST is a file with the path of a file a line; OUT gets the bins as JSON. Prints a line of seconds and MB as JSON.
//
// Sums of branches: groot sums FILE_OR_URL TREE LIST [sums=OUT], in sums.go. bench/peers/build.sh builds it.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"syscall"
	"time"

	"go-hep.org/x/hep/groot"
	"go-hep.org/x/hep/groot/rtree"
)

// Histogram has under- and overflow, as TH1D.
type Histogram struct {
	low, high float64
	bins      []float64
}

func hist(bins int, low, high float64) *Histogram {
	return &Histogram{low, high, make([]float64, bins+2)}
}

func (h *Histogram) fill(x float64) {
	n := len(h.bins) - 2
	switch {
	case x < h.low:
		h.bins[0]++
	case !(x < h.high):
		h.bins[n+1]++
	default:
		h.bins[1+int(float64(n)*(x-h.low)/(h.high-h.low))]++
	}
}

// Lists are the members of objects of one kind.
type Lists struct {
	pt, eta, phi, mass, btag []float32
	charge                   []int32
}

func (l *Lists) vars(name string, members ...string) []rtree.ReadVar {
	all := map[string]any{"pt": &l.pt, "eta": &l.eta, "phi": &l.phi, "mass": &l.mass, "btag": &l.btag, "charge": &l.charge}
	var vars []rtree.ReadVar
	for _, member := range members {
		vars = append(vars, rtree.ReadVar{Name: name + "_" + member, Value: all[member]})
	}
	return vars
}

type P4 struct{ x, y, z, e float64 }

func (l *Lists) p4(i int) P4 {
	pt, mass := float64(l.pt[i]), float64(l.mass[i])
	sin, cos := math.Sincos(float64(l.phi[i]))
	z := pt * math.Sinh(float64(l.eta[i]))
	return P4{pt * cos, pt * sin, z, math.Sqrt(pt*pt + z*z + mass*mass)}
}

func (a P4) plus(b P4) P4  { return P4{a.x + b.x, a.y + b.y, a.z + b.z, a.e + b.e} }
func (a P4) mass() float64 { return math.Sqrt(math.Max(0, a.e*a.e-a.x*a.x-a.y*a.y-a.z*a.z)) }
func scalar[T any](name string, value *T) []rtree.ReadVar {
	return []rtree.ReadVar{{Name: name, Value: value}}
}

func join(lists ...[]rtree.ReadVar) []rtree.ReadVar {
	var all []rtree.ReadVar
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// Query is what is read, what is filled, and how.
type Query struct {
	vars  []rtree.ReadVar
	hists map[string]*Histogram
	entry func()
}

var queries = map[string]func() Query{
	// ten
	"ten": func() Query {
		var n uint32
		vars := scalar("nMuon", &n)
		hists := map[string]*Histogram{}
		var lists []*[]float32
		var filled []*Histogram
		for _, name := range strings.Fields("Muon_pt Muon_eta Muon_phi Jet_pt Jet_eta Jet_phi Jet_mass Electron_pt Electron_eta Electron_phi") {
			h := hist(100, 0, 201)
			if strings.HasSuffix(name, "eta") || strings.HasSuffix(name, "phi") {
				h = hist(100, -4, 4)
			}
			list := new([]float32)
			vars = append(vars, rtree.ReadVar{Name: name, Value: list})
			hists[name] = h
			lists, filled = append(lists, list), append(filled, h)
		}
		return Query{vars, hists, func() {
			if n < 1 {
				return
			}
			for i, list := range lists {
				for _, x := range *list {
					filled[i].fill(float64(x))
				}
			}
		}}
	},
	// q1-met
	"q1-met": func() Query {
		var met float32
		h := hist(100, 0, 200)
		return Query{scalar("MET_pt", &met), map[string]*Histogram{"met": h}, func() { h.fill(float64(met)) }}
	},
	// q2-jets
	"q2-jets": func() Query {
		var jet Lists
		h := hist(100, 15, 215)
		return Query{jet.vars("Jet", "pt"), map[string]*Histogram{"pt": h}, func() {
			for _, pt := range jet.pt {
				h.fill(float64(pt))
			}
		}}
	},
	// q3-central-jets
	"q3-central-jets": func() Query {
		var jet Lists
		h := hist(100, 15, 215)
		return Query{jet.vars("Jet", "pt", "eta"), map[string]*Histogram{"pt": h}, func() {
			for i, pt := range jet.pt {
				if math.Abs(float64(jet.eta[i])) < 1 {
					h.fill(float64(pt))
				}
			}
		}}
	},
	// q4-two-jets
	"q4-two-jets": func() Query {
		var jet Lists
		var met float32
		h := hist(100, 0, 200)
		return Query{join(jet.vars("Jet", "pt"), scalar("MET_pt", &met)), map[string]*Histogram{"met": h}, func() {
			n := 0
			for _, pt := range jet.pt {
				if pt > 40 {
					n++
				}
			}
			if n >= 2 {
				h.fill(float64(met))
			}
		}}
	},
	// q5-z-window
	"q5-z-window": func() Query {
		var muon Lists
		var met float32
		h := hist(100, 0, 200)
		vars := join(muon.vars("Muon", "pt", "eta", "phi", "mass", "charge"), scalar("MET_pt", &met))
		return Query{vars, map[string]*Histogram{"met": h}, func() {
			for i := range muon.pt {
				for j := i + 1; j < len(muon.pt); j++ {
					if muon.charge[i] == muon.charge[j] {
						continue
					}
					if mass := muon.p4(i).plus(muon.p4(j)).mass(); mass > 60 && mass < 120 {
						h.fill(float64(met))
						return
					}
				}
			}
		}}
	},
	// q6-trijet
	"q6-trijet": func() Query {
		var jet Lists
		pt, btag := hist(100, 0, 400), hist(50, 0, 1)
		vars := jet.vars("Jet", "pt", "eta", "phi", "mass", "btag")
		var jets []P4
		return Query{vars, map[string]*Histogram{"pt": pt, "btag": btag}, func() {
			n := len(jet.pt)
			if n < 3 {
				return
			}
			jets = jets[:0]
			for i := range n {
				jets = append(jets, jet.p4(i))
			}
			best, bestPt, bestTag := math.Inf(1), 0.0, float32(0)
			for i := range n {
				for j := i + 1; j < n; j++ {
					for k := j + 1; k < n; k++ {
						sum := jets[i].plus(jets[j]).plus(jets[k])
						if away := math.Abs(sum.mass() - 172.5); away < best {
							best, bestPt = away, math.Hypot(sum.x, sum.y)
							bestTag = max(jet.btag[i], jet.btag[j], jet.btag[k])
						}
					}
				}
			}
			pt.fill(bestPt)
			btag.fill(float64(bestTag))
		}}
	},
	// q7-isolated-jets
	"q7-isolated-jets": func() Query {
		var jet, muon, electron Lists
		h := hist(100, 0, 800)
		vars := join(jet.vars("Jet", "pt", "eta", "phi"), muon.vars("Muon", "pt", "eta", "phi"), electron.vars("Electron", "pt", "eta", "phi"))
		near := func(i int, other *Lists) bool {
			for k, pt := range other.pt {
				if !(pt > 10) {
					continue
				}
				phi := math.Remainder(float64(jet.phi[i])-float64(other.phi[k]), 2*math.Pi)
				if eta := float64(jet.eta[i]) - float64(other.eta[k]); math.Sqrt(eta*eta+phi*phi) < 0.4 {
					return true
				}
			}
			return false
		}
		return Query{vars, map[string]*Histogram{"sum": h}, func() {
			sum := 0.0
			for i, pt := range jet.pt {
				if pt > 30 && !near(i, &muon) && !near(i, &electron) {
					sum += float64(pt)
				}
			}
			h.fill(sum)
		}}
	},
	// q8-beside-z
	"q8-beside-z": func() Query {
		var kinds [2]Lists
		var met, metPhi float32
		h := hist(100, 0, 250)
		vars := join(scalar("MET_pt", &met), scalar("MET_phi", &metPhi))
		for i, name := range []string{"Muon", "Electron"} {
			vars = append(vars, kinds[i].vars(name, "pt", "eta", "phi", "mass", "charge")...)
		}
		type lepton struct {
			P4
			pt, phi      float32
			charge, kind int
		}
		var all []lepton
		return Query{vars, map[string]*Histogram{"mt": h}, func() {
			all = all[:0]
			for k := range kinds {
				l := &kinds[k]
				for i, pt := range l.pt {
					all = append(all, lepton{l.p4(i), pt, l.phi[i], int(l.charge[i]), k})
				}
			}
			if len(all) < 3 {
				return
			}
			best, a, b := math.Inf(1), -1, -1
			for i := range all {
				for j := i + 1; j < len(all); j++ {
					if all[i].kind != all[j].kind || all[i].charge == all[j].charge {
						continue
					}
					if away := math.Abs(all[i].plus(all[j].P4).mass() - 91.2); away < best {
						best, a, b = away, i, j
					}
				}
			}
			if a < 0 {
				return
			}
			top := -1
			for i := range all {
				if i != a && i != b && (top < 0 || all[i].pt > all[top].pt) {
					top = i
				}
			}
			h.fill(math.Sqrt(2 * float64(met) * float64(all[top].pt) * (1 - math.Cos(float64(metPhi)-float64(all[top].phi)))))
		}}
	},
	// end
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(path string, query Query) {
	file, err := groot.Open(path)
	must(err)
	defer file.Close()
	object, err := file.Get("Events")
	must(err)
	reader, err := rtree.NewReader(object.(rtree.Tree), query.vars)
	must(err)
	defer reader.Close()
	must(reader.Read(func(rtree.RCtx) error { query.entry(); return nil }))
}

func main() {
	if os.Args[1] == "sums" {
		must(sums(os.Args[2:]))
		return
	}
	name, list, out := os.Args[1], os.Args[2], os.Args[3]
	text, err := os.ReadFile(list)
	must(err)
	start := time.Now()
	query := queries[name]()
	for _, path := range strings.Split(string(text), "\n") {
		read(path, query)
	}
	wall := time.Since(start).Seconds()
	var used syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	bins := map[string][]float64{}
	for key, h := range query.hists {
		bins[key] = h.bins
	}
	made, err := json.Marshal(bins)
	must(err)
	must(os.WriteFile(out, made, 0o644))
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + 1e-6*float64(t.Usec) }
	fmt.Printf("{\"wall_s\": %.4f, \"cpu_s\": %.4f, \"rss_mb\": %.1f}\n", wall, seconds(used.Utime)+seconds(used.Stime), float64(used.Maxrss)/1024)
}
