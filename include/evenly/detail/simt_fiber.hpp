// SPDX-License-Identifier: Apache-2.0
//
// A stack to run on, and the change from one to another: Boost.Context's jump, plus what goes with a stack - the C++
// runtime's list of caught exceptions, and the sanitizers' idea of where the stack is. Boost 1.74 tells ASan only with
// ucontext, which is a system call per change, so the annotations are here.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include <cxxabi.h>
#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EVENLY_SIMT_ASAN
#endif
#if __has_feature(thread_sanitizer)
#define EVENLY_SIMT_TSAN
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define EVENLY_SIMT_ASAN
#endif
#if defined(__SANITIZE_THREAD__)
#define EVENLY_SIMT_TSAN
#endif
#if defined(EVENLY_SIMT_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(EVENLY_SIMT_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace evenly::detail {

class simt_fiber {
 public:
  using main_function = void (*)(void* argument, simt_fiber& me);

  /// Stands for whatever stack the caller is on.
  simt_fiber() {
#if defined(EVENLY_SIMT_TSAN)
    tsan_ = __tsan_get_current_fiber();
#endif
  }

  /// main(argument, me) runs on a stack of its own from the first change to this fiber on; when it returns, control
  /// goes back to whoever changed to it last. `colour` shifts the stack's top: equal tops would fight for the same
  /// cache sets.
  simt_fiber(std::size_t stack_bytes, unsigned colour, main_function main, void* argument)
      : main_(main), argument_(argument), stack_(boost::context::protected_fixedsize_stack(stack_bytes).allocate()) {
    std::size_t const shift = colour % 16 * 256;
    char* const top = static_cast<char*>(stack_.sp) - shift;
    bytes_ = stack_bytes;
    bottom_ = static_cast<char*>(stack_.sp) - stack_bytes;
    context_ = boost::context::detail::make_fcontext(top, stack_bytes - shift, &enter);
#if defined(EVENLY_SIMT_TSAN)
    tsan_ = __tsan_create_fiber(0);
#endif
  }

  /// Its main must have returned, or never have begun.
  ~simt_fiber() {
    if (stack_.sp == nullptr) return;
#if defined(EVENLY_SIMT_TSAN)
    __tsan_destroy_fiber(tsan_);
#endif
#if defined(EVENLY_SIMT_ASAN)
    __asan_unpoison_memory_region(bottom_, bytes_);  // frames that never returned; others will live at these addresses
#endif
    boost::context::protected_fixedsize_stack(bytes_).deallocate(stack_);
  }
  simt_fiber(simt_fiber const&) = delete;
  simt_fiber& operator=(simt_fiber const&) = delete;

  std::size_t stack_bytes() const { return bytes_; }

  /// Leaves `from`, the caller's fiber, and goes on with `to`. Returns when somebody changes back.
  static void change(simt_fiber& from, simt_fiber& to) {
    auto* const exceptions = exception_state();
    auto const mine = *exceptions;
    from.jump(to, &from.fake_stack_);
    *exceptions = mine;
  }

 private:
  // The begin of __cxa_eh_globals, as the Itanium ABI lays it out: a fiber may wait inside a catch block.
  struct exceptions {
    void* caught = nullptr;
    unsigned uncaught = 0;
  };
  static exceptions* exception_state() { return reinterpret_cast<exceptions*>(abi::__cxa_get_globals()); }

  static void enter(boost::context::detail::transfer_t transfer) {
    simt_fiber& me = *static_cast<simt_fiber*>(transfer.data)->target_;
    me.arrive(transfer);
    *exception_state() = {};
    me.main_(me.argument_, me);
    me.jump(*me.waker_, nullptr);
  }

  // fake_stack: where ASan keeps this stack's fake frames until we are back; null: we shall not be.
  void jump(simt_fiber& to, [[maybe_unused]] void** fake_stack) {
    target_ = &to;
#if defined(EVENLY_SIMT_ASAN)
    __sanitizer_start_switch_fiber(fake_stack, to.bottom_, to.bytes_);
#endif
#if defined(EVENLY_SIMT_TSAN)
    __tsan_switch_to_fiber(to.tsan_, 0);
#endif
    arrive(boost::context::detail::jump_fcontext(to.context_, this));
  }

  void arrive(boost::context::detail::transfer_t transfer) {
    waker_ = static_cast<simt_fiber*>(transfer.data);
    waker_->context_ = transfer.fctx;
#if defined(EVENLY_SIMT_ASAN)
    void const* bottom = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(fake_stack_, &bottom, &bytes);
    if (waker_->stack_.sp == nullptr) {  // only now do we learn of a stack that is not ours
      waker_->bottom_ = bottom;
      waker_->bytes_ = bytes;
    }
#endif
  }

  boost::context::detail::fcontext_t context_ = nullptr;
  simt_fiber* target_ = nullptr;  // whom we jump to
  simt_fiber* waker_ = nullptr;   // who jumped to us last
  void const* bottom_ = nullptr;
  std::size_t bytes_ = 0;
  main_function main_ = nullptr;
  void* argument_ = nullptr;
  boost::context::stack_context stack_;
  void* fake_stack_ = nullptr;
#if defined(EVENLY_SIMT_TSAN)
  void* tsan_ = nullptr;
#endif
};

}  // namespace evenly::detail
