// SPDX-License-Identifier: Apache-2.0
#include "schedules.hpp"

#include <evenly/generate/detail/nearest.hpp>

#include <charconv>
#include <utility>

namespace evenly::instances {

namespace {

template <std::size_t... I>
std::vector<any_schedule> defaults(std::index_sequence<I...>) {
  return {any_schedule(std::in_place_index<I>)...};
}

void set_option(any_schedule& schedule, std::string_view text, std::string_view key, std::string_view word) {
  int value = 0;
  auto const [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc{} || end != word.data() + word.size())
    throw argument_error("schedule '" + std::string(text) + "': '" + std::string(word) +
                         "' is not a whole number; write " + std::string(key) + "=8");
  bool known = false;
  std::vector<std::string> keys;
  std::visit(
      [&](auto& chosen) {
        each_option(chosen, [&](std::string_view name, int& option, int least, int most) {
          keys.emplace_back(name);
          if (name != key) return;
          known = true;
          if (value < least || value > most)
            throw argument_error("schedule '" + std::string(text) + "': " + std::string(name) + " must lie in " +
                                 std::to_string(least) + ".." + std::to_string(most));
          option = value;
        });
      },
      schedule);
  if (known) return;
  if (keys.empty())
    throw argument_error("schedule '" + std::string(text) + "': " + std::string(name_of(schedule)) + " has no options");
  throw argument_error("schedule '" + std::string(text) + "': there is no option '" + std::string(key) + "'" +
                       evenly::detail::suggest(key, keys));
}

}  // namespace

std::vector<any_schedule> const& all_schedules() {
  static std::vector<any_schedule> const all = defaults(std::make_index_sequence<std::variant_size_v<any_schedule>>{});
  return all;
}

std::vector<any_schedule> const& all_host_schedules() {
  static std::vector<any_schedule> const all = [] {
    auto list = all_schedules();
    list.emplace_back(nonzero_split{long_share});
    list.emplace_back(merge_path{long_share});
    return list;
  }();
  return all;
}

std::string_view name_of(any_schedule const& schedule) {
  return std::visit([](auto const& chosen) { return std::string_view(std::remove_cvref_t<decltype(chosen)>::name); },
                    schedule);
}

std::string describe(any_schedule const& schedule) {
  return std::visit([](auto const& chosen) { return describe_schedule(chosen); }, schedule);
}

any_schedule parse_schedule(std::string_view text) {
  auto const colon = std::min(text.find(':'), text.size());
  auto const wanted = text.substr(0, colon);
  std::vector<std::string_view> names;
  for (auto const& known : all_schedules()) {
    names.push_back(name_of(known));
    if (names.back() != wanted) continue;
    any_schedule chosen = known;
    for (std::size_t at = colon + 1; at < text.size();) {
      auto const end = std::min(text.find(',', at), text.size());
      auto const setting = text.substr(at, end - at);
      auto const equals = setting.find('=');
      if (equals == std::string_view::npos)
        throw argument_error("schedule '" + std::string(text) + "': '" + std::string(setting) +
                             "' has no value; write key=value");
      set_option(chosen, text, setting.substr(0, equals), setting.substr(equals + 1));
      at = end + 1;
    }
    return chosen;
  }
  names.push_back("auto");
  names.push_back("all");
  throw argument_error("there is no schedule '" + std::string(wanted) + "'" + evenly::detail::suggest(wanted, names));
}

}  // namespace evenly::instances
