# The fuzz targets, included by ../Makefile:
#
#   make fuzz-build      build/fuzz/<target> for all targets, and build/fuzz/seeds from the fixtures
#   make fuzz-build-32   the same in 32 bits, in build/fuzz32: see native-test-32
#
# Core and decoders are compiled with coverage, ASan and UBSan (UBSan not for the decoders).

FUZZ_CODECS := codec_zlib codec_deflate codec_zstd codec_lz4 codec_xz
FUZZ_TARGETS := header keys streamers object writer tape tree basket ntuple $(FUZZ_CODECS)
FUZZ_TAG_codec_zlib := ZL
FUZZ_TAG_codec_deflate := CS
FUZZ_TAG_codec_zstd := ZS
FUZZ_TAG_codec_lz4 := L4
FUZZ_TAG_codec_xz := XZ
FUZZ_THIRD := $(NATIVE_THIRD) -fsanitize=fuzzer-no-link
FUZZ_OWN := $(NATIVE_OWN) -fsanitize=fuzzer-no-link
FIXTURES := $(wildcard ../tests/fixtures/files/*.root ../tests/fixtures/files/hostile/*.root) \
    ../tests/fixtures/files/edges/deep.root ../tests/fixtures/files/workspaces/workspaces.root

# The codecs' encoders are those of the native tests, without coverage.
fuzzed_objects = $(call objects,$(1)/objects) $(patsubst %,$(BUILD)/$(1)/objects/%.o,$(WRITE_C))

# fuzz_kind: 1 = fuzz or fuzz32, 2 = flags of its width, 3 = native or native32.
define fuzz_kind
$$(eval $$(call third_party,$(1)/objects/libdeflate,$$(LIBDEFLATE),$$(FUZZ_THIRD) $(2)))
$$(eval $$(call third_party,$(1)/objects/lz4,$$(LZ4),$$(FUZZ_THIRD) $(2)))
$$(eval $$(call third_party,$(1)/objects/zstd,$$(ZSTD),$$(FUZZ_THIRD) $(2) $$(ZSTD_FLAGS)))
$$(eval $$(call third_party,$(1)/objects/xz,$$(XZ),$$(FUZZ_THIRD) $(2) $$(XZ_FLAGS)))

$$(BUILD)/$(1)/objects/src/%.o: src/%.c Makefile fuzz/fuzz.mk | $$(PATCHED)
	@mkdir -p $$(@D)
	$$(FUZZ_OWN) $(2) -c $$< -o $$@

$$(BUILD)/$(1)/objects/fuzz/%.o: fuzz/%.c Makefile fuzz/fuzz.mk | $$(PATCHED)
	@mkdir -p $$(@D)
	$$(FUZZ_OWN) $(2) -c $$< -o $$@

$$(BUILD)/$(1)/objects/fuzz/codec_%.o: fuzz/codec.c Makefile fuzz/fuzz.mk | $$(PATCHED)
	@mkdir -p $$(@D)
	$$(FUZZ_OWN) $(2) -DXY_FUZZ_TAG='"$$(FUZZ_TAG_codec_$$*)"' -c $$< -o $$@

# Make must not try to make these itself: it knows a rule that links objects.
$$(BUILD)/$(1)/objects/fuzz/%.d: ;
-include $$(wildcard $$(BUILD)/$(1)/objects/fuzz/*.d $$(BUILD)/$(1)/objects/src/*.d $$(BUILD)/$(1)/objects/src/*/*.d)

$$(BUILD)/$(1)/libfuzzed.a: $$(call fuzzed_objects,$(1)) $$(BUILD)/sources.txt
	@rm -f $$@
	$$(AR) qcs $$@ $$(call fuzzed_objects,$(1))

$$(addprefix $$(BUILD)/$(1)/,$$(FUZZ_TARGETS)): $$(BUILD)/$(1)/%: $$(BUILD)/$(1)/objects/fuzz/%.o $$(BUILD)/$(1)/libfuzzed.a \
        $$(BUILD)/$(3)/encoders/libencoders.a
	$$(FUZZ_OWN) $(2) -fsanitize=fuzzer $$^ -lm -o $$@

$$(BUILD)/$(1)/make-seeds: $$(BUILD)/$(1)/objects/fuzz/seeds.o $$(BUILD)/$(1)/libfuzzed.a
	$$(FUZZ_OWN) $(2) $$^ -lm -o $$@

# Plans are in the form of this build, so they are made again with it.
$$(BUILD)/$(1)/seeds/plans: $$(BUILD)/$(1)/make-seeds $$(FIXTURES)
	@rm -rf $$(BUILD)/$(1)/seeds && mkdir -p $$(BUILD)/$(1)/seeds
	$$(BUILD)/$(1)/make-seeds $$(BUILD)/$(1)/seeds $$(FIXTURES) >$$(BUILD)/$(1)/seeds.log
endef
$(eval $(call fuzz_kind,fuzz,,native))
$(eval $(call fuzz_kind,fuzz32,$(BITS_32),native32))

fuzz-build: $(addprefix $(BUILD)/fuzz/,$(FUZZ_TARGETS)) $(BUILD)/fuzz/seeds/plans
fuzz-build-32: $(addprefix $(BUILD)/fuzz32/,$(FUZZ_TARGETS)) $(BUILD)/fuzz32/seeds/plans
.PHONY: fuzz-build fuzz-build-32
