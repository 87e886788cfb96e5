#include "builtin.h"

#include <stdlib.h>

/* One line a class: "Name version|members", version * for any. A member is a type and a name:
 *   *X base class X      s TString       c C char, unsigned      h H short, unsigned
 *   i I int, unsigned    l L 64 bits     f float   d double      o bool
 *   n counter (int)      O:X object of class X   P:X pointer, E:X pointer that is never null
 * A number in brackets makes a fixed array, a name in brackets an array counted by that member.
 * From the classes' documentation; TStreamerInfo and its elements have to be known in advance. */
static const char *const layouts[] = {
    "TNamed *|*TObject|s fName|s fTitle",
    "TObjString *|*TObject|s fString",
    "TStreamerInfo *|*TNamed|I fCheckSum|i fClassVersion|P:TObjArray fElements",
    "TStreamerElement 1|*TNamed|i fType|i fSize|i fArrayLength|i fArrayDim|n fMaxIndexN|"
    "i fMaxIndex{fMaxIndexN}|s fTypeName",
    "TStreamerElement 2|*TNamed|i fType|i fSize|i fArrayLength|i fArrayDim|i fMaxIndex[5]|"
    "s fTypeName",
    "TStreamerElement 3|*TNamed|i fType|i fSize|i fArrayLength|i fArrayDim|i fMaxIndex[5]|"
    "s fTypeName|d fXmin|d fXmax|d fFactor",
    "TStreamerElement 4|*TNamed|i fType|i fSize|i fArrayLength|i fArrayDim|i fMaxIndex[5]|"
    "s fTypeName",
    "TStreamerBase 1|*TStreamerElement",
    "TStreamerBase 2|*TStreamerElement|i fBaseVersion",
    "TStreamerBase 3|*TStreamerElement|i fBaseVersion",
    "TStreamerBasicType *|*TStreamerElement",
    "TStreamerBasicPointer *|*TStreamerElement|i fCountVersion|s fCountName|s fCountClass",
    "TStreamerLoop *|*TStreamerElement|i fCountVersion|s fCountName|s fCountClass",
    "TStreamerObject *|*TStreamerElement",
    "TStreamerObjectAny *|*TStreamerElement",
    "TStreamerObjectPointer *|*TStreamerElement",
    "TStreamerObjectAnyPointer *|*TStreamerElement",
    "TStreamerString *|*TStreamerElement",
    "TStreamerSTL *|*TStreamerElement|i fSTLtype|i fCtype",
    "TStreamerSTLstring *|*TStreamerSTL",
    "TStreamerArtificial *|*TStreamerElement",
    /* Trees from before ROOT 3 wrote streamer infos; later files describe them. */
    "TTree 1|*TNamed|*TAttLine|*TAttFill|*TAttMarker|i fScanField|i fMaxEntryLoop|"
    "i fMaxVirtualSize|d fEntries|d fTotBytes|d fZipBytes|i fAutoSave|i fEstimate|"
    "O:TObjArray fBranches|O:TObjArray fLeaves",
    "TTree 2|*TNamed|*TAttLine|*TAttFill|*TAttMarker|i fScanField|i fMaxEntryLoop|"
    "i fMaxVirtualSize|d fEntries|d fTotBytes|d fZipBytes|i fAutoSave|i fEstimate|"
    "O:TObjArray fBranches|O:TObjArray fLeaves|O:TArrayD fIndexValues",
    "TTree 3|*TNamed|*TAttLine|*TAttFill|*TAttMarker|i fScanField|i fMaxEntryLoop|"
    "i fMaxVirtualSize|d fEntries|d fTotBytes|d fZipBytes|i fAutoSave|i fEstimate|"
    "O:TObjArray fBranches|O:TObjArray fLeaves|O:TArrayD fIndexValues|O:TArrayI fIndex",
    "TTree 4|*TNamed|*TAttLine|*TAttFill|*TAttMarker|i fScanField|i fMaxEntryLoop|"
    "i fMaxVirtualSize|d fEntries|d fTotBytes|d fZipBytes|i fAutoSave|i fEstimate|"
    "O:TObjArray fBranches|O:TObjArray fLeaves|O:TArrayD fIndexValues|O:TArrayI fIndex|"
    "O:TList fOldInfoList",
    "TNtuple 1|*TTree|i fNvar",
    "TBranch 5|*TNamed|i fCompress|i fBasketSize|i fEntryOffsetLen|n fMaxBaskets|i fWriteBasket|"
    "i fEntryNumber|d fEntries|d fTotBytes|d fZipBytes|i fOffset|O:TObjArray fBranches|"
    "O:TObjArray fLeaves|O:TObjArray fBaskets|n fEntryCount|i fBasketEntry{fEntryCount}|"
    "n fBytesCount|i fBasketBytes{fBytesCount}|n fSeekCount|i fBasketSeek{fMaxBaskets}|s fFileName",
    "TLeaf *|*TNamed|i fLen|i fLenType|i fOffset|o fIsRange|o fIsUnsigned|P:TLeaf fLeafCount",
    "TLeafB *|*TLeaf|c fMinimum|c fMaximum",
    "TLeafS *|*TLeaf|h fMinimum|h fMaximum",
    "TLeafI *|*TLeaf|i fMinimum|i fMaximum",
    "TLeafL *|*TLeaf|l fMinimum|l fMaximum",
    "TLeafG *|*TLeaf|l fMinimum|l fMaximum",
    "TLeafF *|*TLeaf|f fMinimum|f fMaximum",
    "TLeafD *|*TLeaf|d fMinimum|d fMaximum",
    "TLeafF16 *|*TLeaf|f fMinimum|f fMaximum",
    "TLeafD32 *|*TLeaf|d fMinimum|d fMaximum",
    "TLeafO *|*TLeaf|o fMinimum|o fMaximum",
    "TLeafC *|*TLeaf|i fMinimum|i fMaximum",
    "TLeafElement *|*TLeaf|i fID|i fType",
    "TLeafObject *|*TLeaf|o fVirtual",
    /* ROOT does not describe it in files with a TChain. */
    "TChainElement 2|*TNamed|l fEntries|i fNPackets|i fPacketSize|i fStatus",
    /* Indices of trees, whose streamers are written by hand; version 1 has major and minor in
     * one number. */
    "TVirtualIndex *|*TNamed",
    "TTreeIndex 1|*TVirtualIndex|s fMajorName|s fMinorName|l fN|l fIndexValues{fN}|l fIndex{fN}",
    "TTreeIndex 2|*TVirtualIndex|s fMajorName|s fMinorName|l fN|l fIndexValues{fN}|"
    "l fIndexValuesMinor{fN}|l fIndex{fN}",
    /* ROOT writes canvases by hand and does not describe them. */
    "TAttCanvas *|f fXBetween|f fYBetween|f fTitleFromTop|f fXdate|f fYdate|f fAdate",
    "TCanvas *|*TPad|s fDISPLAY|i fDoubleBuffer|o fRetained|f fXsizeUser|f fYsizeUser|"
    "f fXsizeReal|f fYsizeReal|i fWindowTopX|i fWindowTopY|I fWindowWidth|I fWindowHeight|I fCw|"
    "I fCh|O:TAttCanvas fCatt|o kMoveOpaque|o kResizeOpaque|h fHighLightColor|o fBatch|o "
    "kShowEventStatus|"
    "o kAutoExec|o kMenuBar",
    "TTime *|l fMilliSec",
    /* RooFit describes it in no file. */
    "RooRefArray 1|*TRefArray",
    "TBits *|*TObject|i fNbits|n fNbytes|C fAllBits[fNbytes]",
    "TAttLine *|h fLineColor|h fLineStyle|h fLineWidth",
    "TAttFill *|h fFillColor|h fFillStyle",
    "TAttMarker *|h fMarkerColor|h fMarkerStyle|f fMarkerSize",
    "TAttAxis 4|i fNdivisions|h fAxisColor|h fLabelColor|h fLabelFont|f fLabelOffset|f fLabelSize|"
    "f fTickLength|f fTitleOffset|f fTitleSize|h fTitleColor|h fTitleFont",
};

/* Classes of RooFit that write another form than their streamer infos describe: lines as above.
 * A version with + is that of all later ones, too. */
static const char *const by_hand[] = {
    "RooRealVar 1|*RooAbsRealLValue|d fitMin|d fitMax|i fitBins|d _error|d _asymErrLo|d _asymErrHi",
    "RooRealVar 2|*RooAbsRealLValue|d _error|d _asymErrLo|d _asymErrHi|P:RooAbsBinning _binning",
    "RooRealVar 3|*RooAbsRealLValue|d _error|d _asymErrLo|d _asymErrHi|P:RooAbsBinning _binning|"
    "P:RooRealVarSharedProperties _sharedProp",
    "RooRealVar 4+|*RooAbsRealLValue|d _error|d _asymErrLo|d _asymErrHi|P:RooAbsBinning _binning|"
    "O:RooRealVarSharedProperties _sharedProp",
    "RooCategory 1|*RooAbsCategoryLValue|P:RooCategorySharedProperties _sharedProp",
    "RooCategory 2|*RooAbsCategoryLValue|O:RooCategorySharedProperties _sharedProp",
    "RooAbsBinning 1|*TObject|*RooPrintable",
    "RooRefArray 1+|*TRefArray",
};

static int basic_type(char code) {
    switch (code) {
    case 'c': return XY_T_CHAR;
    case 'C': return XY_T_UCHAR;
    case 'h': return XY_T_SHORT;
    case 'H': return XY_T_USHORT;
    case 'i': return XY_T_INT;
    case 'n': return XY_T_COUNTER;
    case 'I': return XY_T_UINT;
    case 'l': return XY_T_LONG64;
    case 'L': return XY_T_ULONG64;
    case 'f': return XY_T_FLOAT;
    case 'd': return XY_T_DOUBLE;
    case 'o': return XY_T_BOOL;
    case 's': return XY_T_TSTRING;
    case 'O': return XY_T_ANY;
    case 'E': return XY_T_ANY_EMBEDDED;
    default: return XY_T_OBJECT_POINTER;
    }
}

static void make_element(xy_classes *t, const char *text, size_t len, xy_element *e) {
    memset(e, 0, sizeof *e);
    e->title = e->type_name = e->count_name = "";
    e->base_version = XY_ANY_VERSION;
    if (text[0] == '*') {
        e->name = xy_classes_intern(t, text + 1, len - 1);
        e->type = XY_T_BASE;
        return;
    }
    const char *space = memchr(text, ' ', len);
    const char *end = text + len;
    e->type = basic_type(text[0]);
    if (text[1] == ':') e->type_name = xy_classes_intern(t, text + 2, (size_t)(space - text - 2));
    const char *name_end = space + 1;
    while (name_end < end && *name_end != '[' && *name_end != '{')
        name_end++;
    e->name = xy_classes_intern(t, space + 1, (size_t)(name_end - space - 1));
    if (name_end == end) return;
    if (*name_end == '{') { /* counted, without the leading byte of a pointer */
        e->type += XY_T_POINTER;
        e->bare_count = true;
        e->count_name = xy_classes_intern(t, name_end + 1, (size_t)(end - name_end - 2));
    } else if (name_end[1] >= '0' && name_end[1] <= '9') {
        e->type += XY_T_ARRAY;
        e->array_dim = 1;
        e->array_length = e->max_index[0] = atoi(name_end + 1);
    } else {
        e->type += XY_T_POINTER;
        e->count_name = xy_classes_intern(t, name_end + 1, (size_t)(end - name_end - 2));
    }
}

/* The class of a line; false when memory is out. */
static bool make_class(xy_classes *t, const char *line, xy_class *out) {
    size_t len = (size_t)(strchr(line, ' ') - line);
    memset(out, 0, sizeof *out);
    out->name = xy_classes_intern(t, line, len);
    out->built_in = true;
    out->version = line[len + 1] == '*' ? XY_ANY_VERSION : atoi(line + len + 1);
    const char *p = strchr(line, '|');
    int n = 0;
    for (const char *q = p; q; q = strchr(q + 1, '|'))
        n++;
    out->elements = xy_new((uint64_t)n, sizeof *out->elements);
    if (!out->elements) return false;
    while (p) {
        const char *next = strchr(p + 1, '|');
        size_t size = next ? (size_t)(next - p - 1) : strlen(p + 1);
        make_element(t, p + 1, size, &out->elements[out->element_count++]);
        p = next;
    }
    return true;
}

static bool is_of(const char *line, const char *name, size_t len) {
    return strncmp(line, name, len) == 0 && line[len] == ' ';
}

/* The i-th line of a class among `lines`; NULL when there is none. */
static const char *line_of(const char *const *lines, size_t count, const char *name, size_t len,
                           int i) {
    for (size_t k = 0; k < count; k++)
        if (is_of(lines[k], name, len) && i-- == 0) return lines[k];
    return NULL;
}

bool xy_builtin_make(xy_classes *t, const char *name, size_t len, int i, xy_class *out) {
    const char *line = line_of(layouts, sizeof layouts / sizeof *layouts, name, len, i);
    return line && make_class(t, line, out);
}

bool xy_by_hand(xy_classes *t, const xy_class *described, xy_class *out) {
    size_t len = strlen(described->name);
    for (size_t k = 0; k < sizeof by_hand / sizeof *by_hand; k++) {
        if (!is_of(by_hand[k], described->name, len)) continue;
        char *end;
        long version = strtol(by_hand[k] + len + 1, &end, 10);
        if (version != described->version && !(*end == '+' && version < described->version))
            continue;
        if (!make_class(t, by_hand[k], out)) return false;
        out->version = described->version;
        out->checksum = described->checksum;
        return true;
    }
    return false;
}

bool xy_builtin_name(int i, xy_str *name) {
    if (i < 0 || (size_t)i >= sizeof layouts / sizeof *layouts) return false;
    *name = (xy_str){layouts[i], (size_t)(strchr(layouts[i], ' ') - layouts[i])};
    return true;
}
