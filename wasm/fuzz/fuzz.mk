# The fuzz targets, included by ../Makefile:
#
#   make fuzz-build      build/fuzz/<target> for all targets, and build/fuzz/seeds from the fixtures
#
# Core and decoders are compiled with coverage, ASan and UBSan (UBSan not for the decoders).

FUZZ := $(BUILD)/fuzz
FUZZ_CODECS := codec_zlib codec_deflate codec_zstd codec_lz4 codec_xz
FUZZ_TARGETS := header keys streamers object tree basket ntuple $(FUZZ_CODECS)
FUZZ_TAG_codec_zlib := ZL
FUZZ_TAG_codec_deflate := CS
FUZZ_TAG_codec_zstd := ZS
FUZZ_TAG_codec_lz4 := L4
FUZZ_TAG_codec_xz := XZ
FUZZ_THIRD := $(NATIVE_THIRD) -fsanitize=fuzzer-no-link
FUZZ_OWN := $(NATIVE_OWN) -fsanitize=fuzzer-no-link
FUZZ_OBJECTS := $(call objects,fuzz/objects)
FIXTURES := $(wildcard ../tests/fixtures/files/*.root)

$(eval $(call third_party,fuzz/objects/libdeflate,$(LIBDEFLATE),$(FUZZ_THIRD)))
$(eval $(call third_party,fuzz/objects/lz4,$(LZ4),$(FUZZ_THIRD)))
$(eval $(call third_party,fuzz/objects/zstd,$(ZSTD),$(FUZZ_THIRD) $(ZSTD_FLAGS)))
$(eval $(call third_party,fuzz/objects/xz,$(XZ),$(FUZZ_THIRD) $(XZ_FLAGS)))

$(FUZZ)/objects/src/%.o: src/%.c Makefile fuzz/fuzz.mk | $(PATCHED)
	@mkdir -p $(@D)
	$(FUZZ_OWN) -c $< -o $@

$(FUZZ)/objects/fuzz/%.o: fuzz/%.c Makefile fuzz/fuzz.mk | $(PATCHED)
	@mkdir -p $(@D)
	$(FUZZ_OWN) -c $< -o $@

$(FUZZ)/objects/fuzz/codec_%.o: fuzz/codec.c Makefile fuzz/fuzz.mk | $(PATCHED)
	@mkdir -p $(@D)
	$(FUZZ_OWN) -DXY_FUZZ_TAG='"$(FUZZ_TAG_codec_$*)"' -c $< -o $@

# Make must not try to make these itself: it knows a rule that links objects.
$(FUZZ)/objects/fuzz/%.d: ;
-include $(wildcard $(FUZZ)/objects/fuzz/*.d) $(patsubst %.o,%.d,$(filter $(FUZZ)/objects/src/%,$(FUZZ_OBJECTS)))

$(FUZZ)/libfuzzed.a: $(FUZZ_OBJECTS) $(BUILD)/sources.txt
	@rm -f $@
	$(AR) qcs $@ $(FUZZ_OBJECTS)

$(addprefix $(FUZZ)/,$(FUZZ_TARGETS)): $(FUZZ)/%: $(FUZZ)/objects/fuzz/%.o $(FUZZ)/libfuzzed.a
	$(FUZZ_OWN) -fsanitize=fuzzer $^ -lm -o $@

$(FUZZ)/make-seeds: $(FUZZ)/objects/fuzz/seeds.o $(FUZZ)/libfuzzed.a
	$(FUZZ_OWN) $^ -lm -o $@

# Plans are in the form of this build, so they are made again with it.
$(FUZZ)/seeds/plans: $(FUZZ)/make-seeds $(FIXTURES)
	@rm -rf $(FUZZ)/seeds && mkdir -p $(FUZZ)/seeds
	$(FUZZ)/make-seeds $(FUZZ)/seeds $(FIXTURES) >$(FUZZ)/seeds.log

fuzz-build: $(addprefix $(FUZZ)/,$(FUZZ_TARGETS)) $(FUZZ)/seeds/plans
.PHONY: fuzz-build
