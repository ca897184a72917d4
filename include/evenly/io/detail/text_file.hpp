// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a file as one text: mapped when it is a regular file, read when it is a pipe, decoded by libarchive when
// it is compressed (known by its first bytes, not by its name). From an archive with several files, such as the .tar.gz
// that matrix collections offer, the .mtx with the archive's own name is taken. Without EVENLY_HAS_LIBARCHIVE such
// files are refused. A mapped file must not be truncated by somebody else while it is being read.
#pragma once

#include <evenly/core/error.hpp>
#include <evenly/io/detail/other_formats.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(EVENLY_HAS_LIBARCHIVE) && EVENLY_HAS_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

namespace evenly::detail::mtx {

/// What packs these bytes, or an empty view.
inline std::string_view compression_of(std::string_view bytes) {
  using namespace std::string_view_literals;
  struct magic {
    std::string_view start;
    std::string_view name;
  };
  constexpr magic known[] = {{"\x1f\x8b"sv, "gzip"},
                             {"BZh"sv, "bzip2"},
                             {"\xfd"
                              "7zXZ"sv,
                              "xz"},
                             {"\x28\xb5\x2f\xfd"sv, "zstd"},
                             {"\x04\x22\x4d\x18"sv, "lz4"},
                             {"\x1f\x9d"sv, "compress"},
                             {"\x5d\0\0"sv, "lzma"},
                             {"PK\x03\x04"sv, "zip"}};
  for (const auto& [start, name] : known)
    if (bytes.starts_with(start)) return name;
  if (bytes.size() > 262 && bytes.substr(257, 5) == "ustar") return "tar";
  return {};
}

class file_descriptor {
 public:
  explicit file_descriptor(int fd) : fd_(fd) {}
  file_descriptor(const file_descriptor&) = delete;
  file_descriptor& operator=(const file_descriptor&) = delete;
  ~file_descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

class text_file {
 public:
  static constexpr std::size_t everything = std::numeric_limits<std::size_t>::max();

  /// Opens a file. Of a compressed one at least `enough` bytes are decoded, or all. Errors: input_error.
  explicit text_file(const std::filesystem::path& path, std::size_t enough = everything) : name_(path.string()) {
    const file_descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) fail_with_errno("cannot be opened");
    struct stat status{};
    if (::fstat(file.get(), &status) != 0) fail_with_errno("cannot be opened");
    if (S_ISDIR(status.st_mode)) fail("is a folder; name the file in it");
    if (S_ISREG(status.st_mode) && status.st_size > 0) map(file.get(), static_cast<std::size_t>(status.st_size));
    else read(file.get());
    if (const auto packing = compression_of(text_); !packing.empty()) decode(packing, enough);
  }
  text_file(const text_file&) = delete;
  text_file& operator=(const text_file&) = delete;
  ~text_file() {
    if (mapping_ != nullptr) ::munmap(mapping_, mapped_);
  }

  std::string_view text() const { return text_; }
  const std::string& name() const { return name_; }
  /// False when decoding stopped early because `enough` was reached.
  bool whole() const { return whole_; }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw input_error(name_ + ":1:1: " + what); }
  [[noreturn]] void fail_with_errno(const std::string& what) const {
    const int code = errno;
    fail(what + " (" + std::strerror(code) + "); check the path and its permissions");
  }

  void map(int fd, std::size_t size) {
    void* bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) return read(fd);  // a file system without mmap
    ::madvise(bytes, size, MADV_SEQUENTIAL);   // a hint: its failure costs speed only
    mapping_ = bytes;
    mapped_ = size;
    text_ = {static_cast<const char*>(bytes), size};
  }

  void read(int fd) {
    constexpr std::size_t block = std::size_t{1} << 20U;
    for (;;) {
      const std::size_t have = storage_.size();
      storage_.resize(have + block);
      const auto got = ::read(fd, storage_.data() + have, block);
      if (got < 0 && errno != EINTR) fail_with_errno("cannot be read");
      storage_.resize(have + (got > 0 ? static_cast<std::size_t>(got) : 0));
      if (got == 0) break;
    }
    text_ = storage_;
  }

#if defined(EVENLY_HAS_LIBARCHIVE) && EVENLY_HAS_LIBARCHIVE
  void decode(std::string_view packing, std::size_t enough) {
    const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), archive_read_free);
    archive* const in = reader.get();
    if (in == nullptr) fail("cannot be decoded (out of memory); decompress it first");
    // Named one by one: "all" includes filters that start other programs.
    archive_read_support_filter_gzip(in);
    archive_read_support_filter_bzip2(in);
    archive_read_support_filter_xz(in);
    archive_read_support_filter_lzma(in);
    archive_read_support_filter_zstd(in);
    archive_read_support_filter_lz4(in);
    archive_read_support_filter_compress(in);
    archive_read_support_format_tar(in);
    archive_read_support_format_zip(in);
    archive_read_support_format_raw(in);
    archive_read_support_format_empty(in);
    const auto check = [&](la_ssize_t result, la_ssize_t least = ARCHIVE_WARN) {
      if (result >= least) return result;
      const char* why = archive_error_string(in);
      fail("cannot be decoded as " + std::string(packing) + " (" + (why != nullptr ? why : "unknown error") +
           "); the file is damaged or cut short: fetch it again");
    };
    check(archive_read_open_memory(in, text_.data(), text_.size()));

    const auto stem = [](std::string_view file) {
      file = file.substr(file.find_last_of('/') + 1);
      return std::string(file.substr(0, file.find('.')));
    };
    std::string chosen, names;
    int candidates = 0;
    bool found = false;
    whole_ = true;
    archive_entry* entry = nullptr;
    while (check(archive_read_next_header(in, &entry)) != ARCHIVE_EOF) {
      const char* path = archive_entry_pathname(entry);
      const std::string file = path != nullptr ? path : "";
      const bool raw = archive_format(in) == ARCHIVE_FORMAT_RAW;
      if (!raw && !lower(file).ends_with(".mtx")) continue;
      const bool wanted = raw || stem(file) == stem(name_);
      if (!wanted && ++candidates > 1) {
        names += ", " + file;
        continue;
      }
      if (!wanted) names = file;
      chosen.clear();
      found = true;
      for (la_ssize_t got = 1; got > 0;) {
        if (chosen.size() >= enough) {
          whole_ = false;
          break;
        }
        constexpr std::size_t block = std::size_t{1} << 18U;
        const std::size_t have = chosen.size();
        if (chosen.capacity() < have + block) chosen.reserve(2 * (have + block));
        chosen.resize(have + block);
        got = check(archive_read_data(in, chosen.data() + have, block), 0);
        chosen.resize(have + (got > 0 ? static_cast<std::size_t>(got) : 0));
      }
      if (wanted) {
        candidates = 1;
        break;
      }
    }
    if (!found && archive_format(in) != ARCHIVE_FORMAT_EMPTY)
      fail("the archive holds no .mtx file; extract what you need from it");
    if (candidates > 1) fail("the archive holds several matrices (" + names + "); extract the one to read");
    storage_ = std::move(chosen);
    text_ = storage_;
  }
#else
  void decode(std::string_view packing, std::size_t) {
    fail("the file is compressed (" + std::string(packing) +
         ") and this build has no libarchive; decompress it first, or build with libarchive and "
         "EVENLY_HAS_LIBARCHIVE=1");
  }
#endif

  std::string name_;
  std::string storage_;
  std::string_view text_;
  void* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  bool whole_ = true;
};

}  // namespace evenly::detail::mtx
