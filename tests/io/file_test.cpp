// SPDX-License-Identifier: Apache-2.0
//
// Files: compressed and archived ones, pipes, names that cannot be read or written, and a writer that leaves nothing
// half done.
#include <gtest/gtest.h>
#include <evenly/io/matrix_market.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

const std::string sample = "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 0.5\n2 3 -1\n";

/// An empty folder that goes away again.
class folder {
 public:
  folder() {
    std::string name = (fs::temp_directory_path() / "evenly-io-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~folder() {
    std::error_code ignore;
    fs::permissions(path_, fs::perms::owner_all, ignore);
    fs::remove_all(path_, ignore);
  }
  fs::path operator/(const std::string& name) const { return path_ / name; }
  std::size_t count() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), {})); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void put(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }
std::string get(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string refusal(const fs::path& path) {
  try {
    evenly::read_matrix_market<double>(path);
  } catch (const evenly::input_error& e) { return e.what(); }
  return "it was read";
}

evenly::coo<double> matrix() {
  evenly::coo<double> m;
  m.shape = {2, 3};
  m.rows = {0, 1};
  m.columns = {0, 2};
  m.values = {0.5, -1};
  return m;
}

TEST(file, plain_files_and_pipes_are_read) {
  const folder here;
  put(here / "m.mtx", sample);
  EXPECT_EQ(evenly::read_matrix_market<double>(here / "m.mtx").values, matrix().values);
  EXPECT_EQ(evenly::read_matrix_market_header(here / "m.mtx").entries, 2);
  EXPECT_EQ(evenly::read_matrix_market_csr<double>(here / "m.mtx").offsets, (std::vector<std::int64_t>{0, 1, 2}));
  ASSERT_EQ(::mkfifo((here / "pipe").c_str(), 0600), 0);
  std::jthread writer([&] { put(here / "pipe", sample); });
  EXPECT_EQ(evenly::read_matrix_market<double>(here / "pipe").values, matrix().values);
}

TEST(file, what_cannot_be_opened_is_refused_by_name) {
  const folder here;
  EXPECT_EQ(refusal(here / "none.mtx"),
            (here / "none.mtx").string() +
                ":1:1: cannot be opened (No such file or directory); check the path and its permissions");
  EXPECT_EQ(refusal(here.path()), here.path().string() + ":1:1: is a folder; name the file in it");
  put(here / "empty.mtx", "");
  EXPECT_EQ(refusal(here / "empty.mtx"), (here / "empty.mtx").string() +
                                             ":1:1: the file is empty; a Matrix Market file starts with "
                                             "'%%MatrixMarket matrix coordinate real general'");
}

#if defined(EVENLY_HAS_LIBARCHIVE) && EVENLY_HAS_LIBARCHIVE

/// Packs files into an archive; `filter` and `format` are libarchive's.
std::string packed(const std::vector<std::pair<std::string, std::string>>& files, int filter, int format) {
  std::string out(1U << 20U, '\0');
  std::size_t used = 0;
  archive* a = archive_write_new();
  EXPECT_EQ(archive_write_add_filter(a, filter), ARCHIVE_OK);
  EXPECT_EQ(archive_write_set_format(a, format), ARCHIVE_OK);
  archive_write_set_bytes_in_last_block(a, 1);
  EXPECT_EQ(archive_write_open_memory(a, out.data(), out.size(), &used), ARCHIVE_OK);
  for (const auto& [name, text] : files) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    EXPECT_EQ(archive_write_header(a, entry), ARCHIVE_OK);
    archive_write_data(a, text.data(), text.size());
    archive_entry_free(entry);
  }
  EXPECT_EQ(archive_write_close(a), ARCHIVE_OK);
  archive_write_free(a);
  out.resize(used);
  return out;
}

TEST(file, every_common_compression_is_read_whatever_the_name) {
  const folder here;
  for (const int filter : {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_BZIP2, ARCHIVE_FILTER_XZ, ARCHIVE_FILTER_ZSTD,
                           ARCHIVE_FILTER_LZ4, ARCHIVE_FILTER_LZMA, ARCHIVE_FILTER_COMPRESS}) {
    put(here / "m.mtx", packed({{"m.mtx", sample}}, filter, ARCHIVE_FORMAT_RAW));
    EXPECT_EQ(evenly::read_matrix_market<double>(here / "m.mtx").values, matrix().values) << "filter " << filter;
    EXPECT_EQ(evenly::read_matrix_market_header(here / "m.mtx").rows, 2) << "filter " << filter;
  }
}

TEST(file, the_matrix_of_an_archive_is_the_one_with_its_name_or_the_only_one) {
  const folder here;
  const std::string other = "%%MatrixMarket matrix array real general\n1 1\n7\n";
  const auto tar = [&](const std::vector<std::pair<std::string, std::string>>& files) {
    put(here / "m.tar.gz", packed(files, ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_TAR_USTAR));
    return refusal(here / "m.tar.gz");
  };
  EXPECT_EQ(tar({{"m/readme.txt", "no"}, {"m/m_b.mtx", other}, {"m/m.mtx", sample}}), "it was read");
  EXPECT_EQ(evenly::read_matrix_market<double>(here / "m.tar.gz").values, matrix().values);
  EXPECT_EQ(tar({{"x/only.mtx", sample}}), "it was read");
  EXPECT_EQ(evenly::read_matrix_market<double>(here / "m.tar.gz").values, matrix().values);
  EXPECT_EQ(tar({{"a.mtx", sample}, {"b.mtx", other}}),
            (here / "m.tar.gz").string() +
                ":1:1: the archive holds several matrices (a.mtx, b.mtx); extract the one to read");
  EXPECT_EQ(tar({{"a.txt", "no"}}),
            (here / "m.tar.gz").string() + ":1:1: the archive holds no .mtx file; extract what you need from it");
  put(here / "m.zip", packed({{"m.mtx", sample}}, ARCHIVE_FILTER_NONE, ARCHIVE_FORMAT_ZIP));
  EXPECT_EQ(refusal(here / "m.zip"), "it was read");
}

TEST(file, a_compressed_file_that_was_cut_short_or_damaged_is_refused) {
  const folder here;
  std::string text = "%%MatrixMarket matrix coordinate real general\n2 3 5000\n";
  for (int k = 0; k < 5000; ++k) text += "1 1 0." + std::to_string(k * 7919 % 104729) + "\n";
  const std::string whole = packed({{"m.mtx", text}}, ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_RAW);
  const std::string start = (here / "m.mtx.gz").string() + ":1:1: cannot be decoded as gzip (";
  for (const std::size_t size : {whole.size() - 1, whole.size() - 9, whole.size() / 2, std::size_t{20}}) {
    put(here / "m.mtx.gz", whole.substr(0, size));
    EXPECT_TRUE(refusal(here / "m.mtx.gz").starts_with(start)) << size << ": " << refusal(here / "m.mtx.gz");
  }
  put(here / "m.mtx.gz", whole);
  EXPECT_EQ(refusal(here / "m.mtx.gz"), "it was read");
}

TEST(file, sizes_are_held_against_what_was_decoded) {
  const folder here;
  put(here / "m.mtx.gz", packed({{"m", "%%MatrixMarket matrix coordinate real general\n9 9 1000000000\n1 1 1\n"}},
                                ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_RAW));
  EXPECT_EQ(refusal(here / "m.mtx.gz"), (here / "m.mtx.gz").string() +
                                            ":2:5: 1000000000 entries cannot fit in the 6 bytes that follow; "
                                            "the size is wrong or the file was cut short");
}

TEST(file, the_header_of_a_compressed_file_is_found_behind_any_number_of_comments) {
  const folder here;
  std::string text = "%%MatrixMarket matrix coordinate real general\n";
  for (int k = 0; k < 20000; ++k) text += "% comment " + std::to_string(k) + "\n";
  put(here / "m.mtx.gz", packed({{"m", text + "2 3 1\n1 1 1\n"}}, ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_RAW));
  EXPECT_EQ(evenly::read_matrix_market_header(here / "m.mtx.gz").columns, 3);
  EXPECT_EQ(evenly::read_matrix_market_header(here / "m.mtx.gz").size_line, 20002);
}

#endif

TEST(file, neighbouring_formats_are_recognised_by_name_or_content) {
  const folder here;
  const auto says = [&](const std::string& name, const std::string& text, const std::string& what) {
    put(here / name, text);
    EXPECT_TRUE(refusal(here / name).starts_with((here / name).string() + ":1:1: this is " + what))
        << refusal(here / name);
  };
  says("a.graph", "3 2\n2\n1 3\n2\n", "a METIS graph");
  says("b.txt", "# Nodes: 3\n0\t1\n", "an edge list");
  says("c.mtx", "0 1\n1 2\n", "an edge list");
  says("d.mtx", "c comment\np sp 2 1\na 1 2 3\n", "a DIMACS graph");
  says("e.mtx", "# tensor\n1 1 1 2.0\n", "a FROSTT tensor");
  says("f.mtx", "title   key\n 4 1 1 2 0\nRUA 2 2 2 0\n(16I5) (16I5) (5E15.8)\n", "a Harwell-Boeing");
}

TEST(file, a_written_file_reads_back_and_replaces_the_old_one_whole) {
  const folder here;
  evenly::write_matrix_market(here / "m.mtx", matrix());
  EXPECT_EQ(get(here / "m.mtx"), sample);
  put(here / "m.mtx", "something old");
  fs::permissions(here / "m.mtx", fs::perms(0640));
  evenly::write_matrix_market(here / "m.mtx", matrix());
  EXPECT_EQ(get(here / "m.mtx"), sample);
  EXPECT_EQ(fs::status(here / "m.mtx").permissions(), fs::perms(0640));
  EXPECT_EQ(here.count(), 1U);
  fs::create_symlink("m.mtx", here / "link.mtx");
  put(here / "m.mtx", "old");
  evenly::write_matrix_market(here / "link.mtx", matrix());
  EXPECT_TRUE(fs::is_symlink(here / "link.mtx"));
  EXPECT_EQ(get(here / "m.mtx"), sample);
}

TEST(file, a_writer_that_fails_leaves_the_old_file_and_nothing_else) {
  const folder here;
  put(here / "m.mtx", "old");
  auto wrong = matrix();
  wrong.columns[1] = 3;
  EXPECT_THROW(evenly::write_matrix_market(here / "m.mtx", wrong), evenly::argument_error);
  EXPECT_EQ(get(here / "m.mtx"), "old");
  EXPECT_EQ(here.count(), 1U);
  EXPECT_THROW(evenly::write_matrix_market(here / "none" / "m.mtx", matrix()), evenly::error);
  EXPECT_THROW(evenly::write_matrix_market(here.path(), matrix()), evenly::error);
  EXPECT_THROW(evenly::write_matrix_market(here / "m.mtx.gz", matrix()), evenly::argument_error);
  EXPECT_EQ(here.count(), 1U);
  EXPECT_THROW(evenly::write_matrix_market("/dev/full", matrix()), evenly::error);
  EXPECT_NO_THROW(evenly::write_matrix_market("/dev/null", matrix()));
}

}  // namespace
