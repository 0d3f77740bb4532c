// The transducers of the languages workload on top of dk.brics.automaton, which has none: images and
// pre-images by products with small machines. The machines for replacement and extraction guess the
// matches and carry the set of pattern states that must never accept again, which makes the guesses
// leftmost and longest.
import dk.brics.automaton.*;
import java.util.*;
import java.util.function.IntPredicate;

class BricsTransducers {
    // Reads min..max, writes `before`, then the symbol itself (mapped) if `copies`.
    record Arc(char min, char max, String before, boolean copies, int shift, Object next) {}

    interface Machine {
        List<?> starts();
        List<Arc> arcs(Object state);
        String end(Object state);  // written at the end of input; null: does not accept
    }

    static Automaton image(String stage, Automaton a) {
        if (stage.equals("rev")) {
            a = a.clone();
            a.expandSingleton();
            SpecialOperations.reverse(a);
            return a;
        }
        a.determinize();
        Machine machine = machine(stage);
        Map<List<Object>, State> known = new HashMap<>();
        Deque<List<Object>> todo = new ArrayDeque<>();
        Set<StatePair> epsilons = new HashSet<>();
        State initial = new State();
        State accept = new State();
        accept.setAccept(true);
        for (Object start : machine.starts()) {
            epsilons.add(new StatePair(initial, node(List.of(a.getInitialState(), start), known, todo)));
        }
        while (!todo.isEmpty()) {
            List<Object> pair = todo.remove();
            State from = known.get(pair);
            State source = (State) pair.get(0);
            String end = machine.end(pair.get(1));
            if (source.isAccept() && end != null) connect(from, end, accept, epsilons);
            for (Arc arc : machine.arcs(pair.get(1))) {
                for (Transition t : source.getTransitions()) {
                    char min = (char) Math.max(t.getMin(), arc.min);
                    char max = (char) Math.min(t.getMax(), arc.max);
                    if (min > max) continue;
                    State to = node(List.of(t.getDest(), arc.next), known, todo);
                    State middle = from;
                    if (arc.copies && !arc.before.isEmpty()) {
                        middle = new State();
                        connect(from, arc.before, middle, epsilons);
                    }
                    if (arc.copies) {
                        char low = (char) (min + arc.shift);
                        middle.addTransition(new Transition(low, (char) (max + arc.shift), to));
                    } else {
                        connect(from, arc.before, to, epsilons);
                    }
                }
            }
        }
        Automaton result = new Automaton();
        result.setInitialState(initial);
        result.setDeterministic(false);
        result.addEpsilons(epsilons);
        result.minimize();
        return result;
    }

    static State node(List<Object> pair, Map<List<Object>, State> known, Deque<List<Object>> todo) {
        return known.computeIfAbsent(pair, p -> {
            todo.add(p);
            return new State();
        });
    }

    static void connect(State from, String word, State to, Set<StatePair> epsilons) {
        for (int i = 0; i + 1 < word.length(); i++) {
            State next = new State();
            from.addTransition(new Transition(word.charAt(i), next));
            from = next;
        }
        if (word.isEmpty()) {
            epsilons.add(new StatePair(from, to));
        } else {
            from.addTransition(new Transition(word.charAt(word.length() - 1), to));
        }
    }

    static Automaton preimage(String stage, Automaton b) {
        if (stage.equals("rev")) return image(stage, b);
        b.determinize();
        Machine machine = machine(stage);
        Map<List<Object>, State> known = new HashMap<>();
        Deque<List<Object>> todo = new ArrayDeque<>();
        Set<StatePair> epsilons = new HashSet<>();
        State initial = new State();
        for (Object start : machine.starts()) {
            epsilons.add(new StatePair(initial, node(List.of(b.getInitialState(), start), known, todo)));
        }
        while (!todo.isEmpty()) {
            List<Object> pair = todo.remove();
            State from = known.get(pair);
            State source = (State) pair.get(0);
            String end = machine.end(pair.get(1));
            State last = end == null ? null : follow(source, end);
            if (last != null && last.isAccept()) from.setAccept(true);
            for (Arc arc : machine.arcs(pair.get(1))) {
                State middle = follow(source, arc.before);
                if (middle == null) continue;
                if (!arc.copies) {
                    State to = node(List.of(middle, arc.next), known, todo);
                    from.addTransition(new Transition(arc.min, arc.max, to));
                    continue;
                }
                for (Transition t : middle.getTransitions()) {
                    int min = Math.max(t.getMin() - arc.shift, arc.min);
                    int max = Math.min(t.getMax() - arc.shift, arc.max);
                    if (min > max) continue;
                    State to = node(List.of(t.getDest(), arc.next), known, todo);
                    from.addTransition(new Transition((char) min, (char) max, to));
                }
            }
        }
        Automaton result = new Automaton();
        result.setInitialState(initial);
        result.setDeterministic(false);
        result.addEpsilons(epsilons);
        result.minimize();
        return result;
    }

    static State follow(State state, String word) {
        for (int i = 0; i < word.length() && state != null; i++) state = state.step(word.charAt(i));
        return state;
    }

    static Machine machine(String stage) {
        String[] words = stage.split(" ");
        switch (words[0]) {
            case "tr": return translate(words);
            case "cut": return fields(unescape(words[1]).charAt(0), selection(words[2]));
            case "cutc": return positions(selection(words[1]));
            case "lines": return segments();
            default: {
                Automaton pattern = BricsLanguages.parse(words[1]);
                pattern.determinize();
                String replacement = words.length > 2 ? unescape(words[2]) : "";
                return new Matching(words[0], pattern, replacement);
            }
        }
    }

    static String unescape(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            c = text.charAt(++i);
            if (c == 'e') continue;
            if (c == 'x') {
                out.append((char) Integer.parseInt(text.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                out.append(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c);
            }
        }
        return out.toString();
    }

    // Which numbers a list like 1,3-5,7- selects; the numbers beyond `last` are alike.
    record Selection(IntPredicate selects, int last) {}

    static Selection selection(String list) {
        BitSet set = new BitSet();
        int open = Integer.MAX_VALUE;
        int last = 0;
        for (String item : list.split(",")) {
            String[] ends = item.split("-", -1);
            int first = Integer.parseInt(ends[0]);
            last = Math.max(last, first);
            if (ends.length == 1) {
                set.set(first);
            } else if (ends[1].isEmpty()) {
                open = Math.min(open, first);
            } else {
                set.set(first, Integer.parseInt(ends[1]) + 1);
                last = Math.max(last, Integer.parseInt(ends[1]));
            }
        }
        int from = open;
        return new Selection(n -> set.get(n) || n >= from, last + 1);
    }

    // Ranges 0..255 without one symbol.
    static List<char[]> except(char c) {
        List<char[]> ranges = new ArrayList<>();
        if (c > 0) ranges.add(new char[] {0, (char) (c - 1)});
        if (c < 255) ranges.add(new char[] {(char) (c + 1), 255});
        return ranges;
    }

    // State 0 is a line without the delimiter, which passes whole; n > 0 is field n.
    static Machine fields(char delimiter, Selection selection) {
        return new Machine() {
            public List<?> starts() { return List.of(0, 1); }
            public List<Arc> arcs(Object state) {
                int field = (Integer) state;
                boolean copies = field == 0 || selection.selects.test(field);
                List<Arc> arcs = new ArrayList<>();
                for (char[] r : except(delimiter)) arcs.add(new Arc(r[0], r[1], "", copies, 0, state));
                if (field == 0) return arcs;
                int next = Math.min(field + 1, selection.last + 1);
                boolean earlier = false;
                for (int i = 1; i <= field; i++) earlier |= selection.selects.test(i);
                boolean shows = earlier && selection.selects.test(next);
                arcs.add(new Arc(delimiter, delimiter, "", shows, 0, next));
                return arcs;
            }
            public String end(Object state) { return (Integer) state == 1 ? null : ""; }
        };
    }

    static Machine positions(Selection selection) {
        return new Machine() {
            public List<?> starts() { return List.of(1); }
            public List<Arc> arcs(Object state) {
                int position = (Integer) state;
                boolean copies = selection.selects.test(position);
                int next = Math.min(position + 1, selection.last + 1);
                return List.of(new Arc((char) 0, (char) 255, "", copies, 0, next));
            }
            public String end(Object state) { return ""; }
        };
    }

    static Machine segments() {
        return new Machine() {
            public List<?> starts() { return List.of("before", "inside"); }
            public List<Arc> arcs(Object state) {
                List<Arc> arcs = new ArrayList<>();
                boolean inside = state.equals("inside");
                for (char[] r : except('\n')) arcs.add(new Arc(r[0], r[1], "", inside, 0, state));
                String next = state.equals("before") ? "before" : "after";
                arcs.add(new Arc('\n', '\n', "", false, 0, next));
                if (state.equals("before")) arcs.add(new Arc('\n', '\n', "", false, 0, "inside"));
                return arcs;
            }
            public String end(Object state) { return state.equals("before") ? null : ""; }
        };
    }

    static String expand(String set) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < set.length();) {
            int[] at = {i};
            char first = one(set, at);
            char last = first;
            if (at[0] + 1 < set.length() && set.charAt(at[0]) == '-') {
                at[0]++;
                last = one(set, at);
            }
            for (char c = first; c <= last; c++) out.append(c);
            i = at[0];
        }
        return out.toString();
    }

    static char one(String set, int[] at) {
        int length = set.charAt(at[0]) != '\\' ? 1 : set.charAt(at[0] + 1) == 'x' ? 4 : 2;
        at[0] += length;
        return unescape(set.substring(at[0] - length, at[0])).charAt(0);
    }

    // The state is the symbol written last if runs of it are squeezed, else -1.
    static Machine translate(String[] words) {
        String options = "";
        int at = 1;
        for (; words[at].length() > 1 && words[at].startsWith("-"); at++) options += words[at];
        String from = expand(words[at++]);
        String to = at < words.length ? expand(words[at]) : "";
        if (options.contains("c")) {
            StringBuilder rest = new StringBuilder();
            for (char c = 0; c < 256; c++) {
                if (from.indexOf(c) < 0) rest.append(c);
            }
            from = rest.toString();
        }
        boolean deletes = options.contains("d");
        int[] map = new int[256];
        for (int c = 0; c < 256; c++) {
            int i = from.lastIndexOf(c);
            map[c] = i < 0 ? c : deletes ? -1
                : to.isEmpty() ? c : to.charAt(Math.min(i, to.length() - 1));
        }
        String squeezed = !options.contains("s") ? "" : to.isEmpty() ? from : to;
        return new Machine() {
            public List<?> starts() { return List.of(-1); }
            public List<Arc> arcs(Object state) {
                List<Arc> arcs = new ArrayList<>();
                for (char c = 0; c < 256; c++) {
                    int out = map[c];
                    Object next = out < 0 ? state : squeezed.indexOf(out) >= 0 ? out : -1;
                    boolean copies = out >= 0 && !state.equals(out);
                    int shift = copies ? out - c : 0;
                    Arc last = arcs.isEmpty() ? null : arcs.get(arcs.size() - 1);
                    if (last != null && last.copies == copies && last.shift == shift
                        && last.next.equals(next)) {
                        arcs.set(arcs.size() - 1, new Arc(last.min, c, "", copies, shift, next));
                    } else {
                        arcs.add(new Arc(c, c, "", copies, shift, next));
                    }
                }
                return arcs;
            }
            public String end(Object state) { return ""; }
        };
    }

    // Replacement (sub, gsub, subbeg, subend) and extraction.
    static class Matching implements Machine {
        enum Mode { OUTSIDE, INSIDE, CHOSEN, REST }
        // `never`: pattern states from which no word may be accepted any more.
        record At(Mode mode, State pattern, Set<State> never) {}

        final String kind;
        final String replacement;
        final State start;
        final char[] points;

        Matching(String kind, Automaton pattern, String replacement) {
            this.kind = kind;
            this.replacement = replacement;
            start = pattern.getInitialState();
            TreeSet<Character> cuts = new TreeSet<>(List.of((char) 0));
            for (State state : pattern.getStates()) {
                for (Transition t : state.getTransitions()) {
                    cuts.add(t.getMin());
                    if (t.getMax() < 255) cuts.add((char) (t.getMax() + 1));
                }
            }
            points = new char[cuts.size()];
            int i = 0;
            for (char c : cuts) points[i++] = c;
        }

        public List<?> starts() {
            if (!kind.equals("subbeg")) return List.of(new At(Mode.OUTSIDE, null, Set.of()));
            List<At> result = new ArrayList<>(List.of(new At(Mode.INSIDE, start, Set.of())));
            if (!start.isAccept()) result.add(new At(Mode.REST, null, Set.of(start)));
            return result;
        }

        // What `never` becomes after c; null if the guess was wrong.
        Set<State> step(Set<State> never, State more, char c) {
            Set<State> result = new HashSet<>();
            for (State state : never) add(result, state.step(c));
            if (more != null) add(result, more.step(c));
            if (kind.equals("subend")) return result;  // only the end of input decides
            for (State state : result) {
                if (state.isAccept()) return null;
            }
            return result;
        }

        static void add(Set<State> set, State state) {
            if (state != null) set.add(state);
        }

        public List<Arc> arcs(Object state) {
            At at = (At) state;
            List<Arc> arcs = new ArrayList<>();
            for (int i = 0; i < points.length; i++) {
                char max = i + 1 < points.length ? (char) (points[i + 1] - 1) : 255;
                if (at.mode == Mode.OUTSIDE) outside(arcs, points[i], max, at.never, null, "");
                if (at.mode == Mode.REST) rest(arcs, points[i], max, at.never, null, "");
                if (at.mode == Mode.INSIDE || at.mode == Mode.CHOSEN) inside(arcs, points[i], max, at);
            }
            return arcs;
        }

        void outside(List<Arc> arcs, char min, char max, Set<State> never, State longer, String text) {
            Set<State> known = new HashSet<>(never);
            add(known, longer);
            boolean copies = !kind.equals("extract");
            Set<State> skipped = step(known, start, min);
            if (skipped != null) {
                arcs.add(new Arc(min, max, text, copies, 0, new At(Mode.OUTSIDE, null, skipped)));
            }
            State next = start.step(min);
            Set<State> after = step(known, null, min);
            if (next == null || after == null) return;
            arcs.add(new Arc(min, max, text, false, 0, new At(Mode.INSIDE, next, after)));
            if (kind.equals("extract")) {
                arcs.add(new Arc(min, max, text, true, 0, new At(Mode.CHOSEN, next, after)));
            }
        }

        void rest(List<Arc> arcs, char min, char max, Set<State> never, State longer, String text) {
            Set<State> after = step(never, longer, min);
            boolean copies = !kind.equals("extract");
            if (after != null) arcs.add(new Arc(min, max, text, copies, 0, new At(Mode.REST, null, after)));
        }

        void inside(List<Arc> arcs, char min, char max, At at) {
            State next = at.pattern.step(min);
            Set<State> after = step(at.never, null, min);
            boolean copies = at.mode == Mode.CHOSEN;
            if (next != null && after != null) {
                arcs.add(new Arc(min, max, "", copies, 0, new At(at.mode, next, after)));
            }
            if (!at.pattern.isAccept() || kind.equals("subend")) return;
            boolean goesOn = at.mode == Mode.INSIDE && (kind.equals("gsub") || kind.equals("extract"));
            if (goesOn) {
                outside(arcs, min, max, at.never, at.pattern, replacement);
            } else {
                rest(arcs, min, max, at.never, at.pattern, replacement);
            }
        }

        public String end(Object state) {
            At at = (At) state;
            if (kind.equals("subend")) {
                for (State never : at.never) {
                    if (never.isAccept()) return null;
                }
                if (at.mode == Mode.OUTSIDE) return start.isAccept() ? replacement : "";
            }
            switch (at.mode) {
                case OUTSIDE: return kind.equals("extract") ? null : "";
                case REST: return "";
                case CHOSEN: return at.pattern.isAccept() ? "" : null;
                default: return !at.pattern.isAccept() || kind.equals("extract") ? null : replacement;
            }
        }
    }
}
