/** The purpose of each field, by the part of the record and the name. */
export const ABOUT: Readonly<Record<string, string>> = {
  'header.magic': 'Every ROOT file begins with these four letters.',
  'header.fVersion':
    'Version of the format, which is the version of ROOT that wrote it; 1,000,000 more if places in the header have 8 bytes.',
  'header.fBEGIN': 'Position of the first record.',
  'header.fEND': 'Position behind the last byte in use.',
  'header.fSeekFree': 'Position of the list of free space.',
  'header.fNbytesFree': 'Bytes of the record of free space.',
  'header.nfree': 'Number of free segments in that list; the last one begins at the end of the file.',
  'header.fNbytesName':
    'Bytes of the key, the name and the title in the first record; the root directory follows them.',
  'header.fUnits': 'Bytes of a place in the file: 4, or 8 in files above 2 GB.',
  'header.fCompress':
    'Compression setting: 100 × algorithm + level. Branches may have others, so this is not that of all records.',
  'header.fSeekInfo': 'Position of the streamer infos, which describe the classes in the file.',
  'header.fNbytesInfo': 'Bytes of the record of streamer infos.',
  'header.UUID version': 'Version of the class TUUID.',
  'header.UUID': 'Identifies the file.',

  'key.fNbytes': 'Bytes of the whole record with its key; if negative, a gap of that length.',
  'key.fVersion': 'Version of the class TKey; 1,000 more if its places have 8 bytes.',
  'key.fObjlen': 'Bytes of the object when it is decompressed.',
  'key.fDatime': 'When the record was written, in the local time of the writer.',
  'key.fKeylen': 'Bytes of the key; the object follows it.',
  'key.fCycle': 'Tells versions of an object of one name apart; the highest is the newest.',
  'key.fSeekKey': 'Position of this record: a key names its own place.',
  'key.fSeekPdir': 'Position of the record of the directory that the object belongs to.',
  'key.fClassName': 'Class of the object.',
  'key.fName': 'Name of the object.',
  'key.fTitle': 'Title of the object.',

  'basket.fVersion': 'Version of the class TBasket.',
  'basket.fBufferSize': 'Bytes of the buffer in memory that the basket had when it was written.',
  'basket.fNevBufSize':
    'Length of the table of entry offsets, or bytes of an entry if all have one size; negative if fIOBits follows.',
  'basket.fIOBits':
    'Features of the stored form, for example that entry offsets are computed and not stored.',
  'basket.fNevBuf': 'Number of entries in the basket.',
  'basket.fLast':
    'Where the data of the last entry end, counted from the start of the record when decompressed.',
  'basket.fFlag': 'Says how entry offsets are stored; 0 in a basket that was written as a record of its own.',

  'file.fName': 'Name that the file had when it was created.',
  'file.fTitle': 'Title of the file.',

  'directory.fVersion': 'Version of the class TDirectoryFile; 1,000 more if its places have 8 bytes.',
  'directory.fDatimeC': 'When the directory was created.',
  'directory.fDatimeM': 'When the directory was last changed.',
  'directory.fNbytesKeys': 'Bytes of the list of keys.',
  'directory.fNbytesName': 'Bytes of the key, the name and the title in the record of the directory.',
  'directory.fSeekDir': 'Position of the record of this directory.',
  'directory.fSeekParent': 'Position of the directory above; 0 for the root directory.',
  'directory.fSeekKeys': 'Position of the list of keys.',
  'directory.UUID version': 'Version of the class TUUID.',
  'directory.UUID': 'Identifies the directory.',

  'list of keys.nkeys': 'Number of keys that follow.',

  'free segment.fVersion': 'Version of the class TFree; 1,000 more if its places have 8 bytes.',
  'free segment.fFirst': 'First free byte.',
  'free segment.fLast':
    'Last free byte; of the last segment, the largest position that the file may grow to.',

  'anchor of an RNTuple.byte count': 'Bytes of the object that follow, with a bit that marks a byte count.',
  'anchor of an RNTuple.class version': 'Version of the class ROOT::RNTuple.',
  'anchor of an RNTuple.fVersionEpoch': 'Epoch of the format; readers of another epoch cannot read it.',
  'anchor of an RNTuple.fVersionMajor': 'Major version of the format.',
  'anchor of an RNTuple.fVersionMinor': 'Minor version of the format.',
  'anchor of an RNTuple.fVersionPatch': 'Patch version of the format.',
  'anchor of an RNTuple.fSeekHeader': 'Position of the header envelope, which describes fields and columns.',
  'anchor of an RNTuple.fNBytesHeader': 'Stored bytes of the header envelope.',
  'anchor of an RNTuple.fLenHeader': 'Bytes of the header envelope when it is decompressed.',
  'anchor of an RNTuple.fSeekFooter':
    'Position of the footer envelope, which names the page lists of the clusters.',
  'anchor of an RNTuple.fNBytesFooter': 'Stored bytes of the footer envelope.',
  'anchor of an RNTuple.fLenFooter': 'Bytes of the footer envelope when it is decompressed.',
  'anchor of an RNTuple.fMaxKeySize': 'Largest payload of one key; larger envelopes and pages are divided.',
  'anchor of an RNTuple.checksum': 'XXH3 of the anchor; it is compared when the RNTuple is opened.',

  'compressed block.algorithm':
    'How the first block is compressed: ZL zlib, XZ LZMA, L4 LZ4, ZS zstd, CS old deflate.',
  'compressed block.method': 'Version or method of the algorithm.',
  'compressed block.compressed size': 'Stored bytes of the block behind these nine.',
  'compressed block.uncompressed size': 'Bytes of the block when it is decompressed; at most 16 MB.',
};
