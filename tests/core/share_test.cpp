// SPDX-License-Identifier: Apache-2.0
//
// The picture at the top of core/share.hpp and those of the schedules, as compile-time tests.
#include <evenly/schedule/block_mapped.hpp>
#include <evenly/schedule/group_dealt.hpp>
#include <evenly/schedule/group_mapped.hpp>
#include <evenly/schedule/merge_path.hpp>
#include <evenly/schedule/nonzero_split.hpp>
#include <evenly/schedule/thread_mapped.hpp>
#include <evenly/schedule/warp_mapped.hpp>

#include <gtest/gtest.h>

namespace {

// |a a a|a|a a a|: 3 tiles, 7 atoms, 10 steps; only the three required members
struct picture {
  constexpr int num_tiles() const { return 3; }
  constexpr int num_atoms() const { return 7; }
  constexpr int tile_begin(int tile) const { return tile == 0 ? 0 : tile == 1 ? 3 : tile == 2 ? 4 : 7; }
};
constexpr picture set;
using place = evenly::position<int, int>;
using share = evenly::share<int, int>;

static_assert(evenly::tile_set<picture>);
static_assert(evenly::tile_size(set, 0) == 3 && evenly::tile_size(set, 1) == 1 && evenly::tile_size(set, 2) == 3);
static_assert(evenly::tile_of(set, 0) == 0 && evenly::tile_of(set, 2) == 0 && evenly::tile_of(set, 3) == 1 &&
              evenly::tile_of(set, 4) == 2 && evenly::tile_of(set, 6) == 2);
static_assert(evenly::tile_of(set, 7) == 3);  // beyond the last atom: beyond the last tile

constexpr evenly::merge_path path{4};
static_assert(path.num_groups(set) == 3);
static_assert(path.share(set, 0) == share{{0, 0}, {1, 3}} && path.share(set, 1) == share{{1, 3}, {2, 6}} &&
              path.share(set, 2) == share{{2, 6}, {3, 7}});
static_assert(path.share(set, 3) == share{{3, 7}, {3, 7}} && path.share(set, 1000) == share{{3, 7}, {3, 7}});
static_assert(!evenly::is_joined(set, path.share(set, 0)) && !evenly::is_joined(set, path.share(set, 1)) &&
              evenly::is_joined(set, path.share(set, 2)));
static_assert(!evenly::leaves_open(set, path.share(set, 0)) && evenly::leaves_open(set, path.share(set, 1)) &&
              !evenly::leaves_open(set, path.share(set, 2)));
static_assert(evenly::num_steps(path.share(set, 0)) == 4 && evenly::num_steps(path.share(set, 2)) == 2);

constexpr evenly::nonzero_split split{3};
static_assert(split.num_groups(set) == 3);
static_assert(split.share(set, 0) == share{{0, 0}, {1, 3}} && split.share(set, 1) == share{{1, 3}, {2, 6}} &&
              split.share(set, 2) == share{{2, 6}, {3, 7}});

static_assert(evenly::thread_mapped{}.num_groups(set) == 3 &&
              evenly::thread_mapped{}.share(set, 1) == share{{1, 3}, {2, 4}});
static_assert(evenly::group_mapped{2}.share(set, 2) == share{{2, 4}, {3, 7}});
static_assert(evenly::group_dealt{2, 2}.num_groups(set) == 2 &&
              evenly::group_dealt{2, 2}.share(set, 0) == share{{0, 0}, {2, 4}} &&
              evenly::group_dealt{2, 2}.share(set, 1) == share{{2, 4}, {3, 7}});
static_assert(evenly::group_dealt{2, 40}.num_groups(set) == 1 &&
              evenly::group_dealt{2, 40}.share(set, 0) == share{{0, 0}, {3, 7}});
static_assert(evenly::warp_mapped::lanes == 32 && evenly::block_mapped{}.lanes == 256);

// Every diagonal of the picture, by hand: a a a E a E a a a E.
static_assert([] {
  place const line[11] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 3}, {1, 4}, {2, 4}, {2, 5}, {2, 6}, {2, 7}, {3, 7}};
  for (int diagonal = 0; diagonal <= 10; ++diagonal)
    if (!(evenly::merge_path_search(set, diagonal) == line[diagonal])) return false;
  return true;
}());

// The nested view of the middle share: the end of nothing, tile 1 whole, tile 2 open.
constexpr bool middle_share_is_seen() {
  int seen = 0;
  bool right = true;
  evenly::for_each_part(set, path.share(set, 1), [&](auto part) {
    ++seen;
    if (part.tile == 1) right = right && part.begin == 3 && part.end == 4 && part.is_whole();
    else right = right && part.tile == 2 && part.begin == 4 && part.end == 6 && !part.joined && !part.closes;
  });
  evenly::for_each_part(set, path.share(set, 2), [&](auto part) {
    ++seen;
    right =
        right && part.tile == 2 && part.begin == 6 && part.end == 7 && part.joined && part.closes && !part.is_whole();
  });
  return right && seen == 3;
}
static_assert(middle_share_is_seen());

constexpr bool flat_view_is_seen() {
  char line[11] = {};
  int at = 0;
  evenly::for_each_step(set, {{0, 0}, {3, 7}}, [&](int, int) { line[at++] = 'a'; }, [&](int) { line[at++] = 'E'; });
  char const expected[] = "aaaEaEaaaE";
  for (int i = 0; i < 10; ++i)
    if (line[i] != expected[i]) return false;
  return at == 10;
}
static_assert(flat_view_is_seen());

TEST(Share, the_pictures_in_the_headers_are_true) {
  EXPECT_TRUE(middle_share_is_seen());
  EXPECT_TRUE(flat_view_is_seen());
}

// Any schedule satisfies the concept for the weakest tile set.
static_assert(evenly::schedule<evenly::thread_mapped> && evenly::schedule<evenly::group_mapped> &&
              evenly::schedule<evenly::warp_mapped> && evenly::schedule<evenly::block_mapped> &&
              evenly::schedule<evenly::group_dealt> && evenly::schedule<evenly::merge_path> &&
              evenly::schedule<evenly::nonzero_split>);
static_assert(evenly::deals_across_tiles<evenly::group_dealt> && !evenly::deals_across_tiles<evenly::group_mapped>);

}  // namespace
