// The queries of the languages workload, answered with dk.brics.automaton: the peer of
// bench/languages.cpp. Prints the same columns. The first pass warms the virtual machine up, the
// second is measured: CPU time of the thread, the median of several runs. A query that takes more
// than LIMIT seconds is reported as unanswered.
import dk.brics.automaton.*;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

public class BricsLanguages {
    static final int LIMIT = 4;
    static final Map<String, List<String>> files = new HashMap<>();
    static final Map<String, String> texts = new HashMap<>();
    static Path directory;

    static List<String> lines(String name) {
        return files.computeIfAbsent(name, n -> {
            try {
                String text = Files.readString(directory.resolve(n), StandardCharsets.ISO_8859_1);
                if (text.endsWith("\n")) text = text.substring(0, text.length() - 1);
                return Arrays.asList(text.split("\n", -1));
            } catch (IOException e) {
                throw new RuntimeException(e);
            }
        });
    }

    // Translates a regex of the workload to one of brics. Sets are written out as ranges of bytes;
    // word lists become named automata.
    static class Translator {
        final String text;
        int at = 0;
        final StringBuilder out = new StringBuilder();
        final Map<String, Automaton> named = new HashMap<>();

        Translator(String text) { this.text = text; }

        Automaton automaton() {
            while (at < text.length()) step();
            if (out.length() == 0) return BasicAutomata.makeEmptyString();
            return new RegExp(out.toString(), RegExp.ALL).toAutomaton(named, true);
        }

        void step() {
            char c = text.charAt(at);
            if (text.startsWith("\\W{", at)) {
                int end = text.indexOf('}', at);
                TreeSet<String> words = new TreeSet<>(lines(text.substring(at + 3, end)));
                String name = "w" + named.size();
                named.put(name, BasicAutomata.makeStringUnion(words.toArray(new String[0])));
                out.append('<').append(name).append('>');
                at = end + 1;
            } else if (c == '.') {
                at++;
                set(dot());
            } else if (c == '[') {
                at++;
                set(bracket());
            } else if (c == '~') {
                at++;
                out.append('(');
                set(dot());
                out.append("*&~");
                int depth = 0;
                do {
                    if (text.charAt(at) == '(') depth++;
                    if (text.charAt(at) == ')') depth--;
                    step();
                } while (depth > 0);
                out.append(')');
            } else if (c == '{') {
                int end = text.indexOf('}', at);
                out.append(text, at, end + 1);
                at = end + 1;
            } else if ("|&()*+?".indexOf(c) >= 0) {
                out.append(c);
                at++;
            } else {
                out.append('\\').append(symbol());
            }
        }

        char symbol() {
            char c = text.charAt(at++);
            if (c != '\\') return c;
            c = text.charAt(at++);
            if (c == 'n') return '\n';
            if (c == 't') return '\t';
            if (c == 'r') return '\r';
            if (c != 'x') return c;
            at += 2;
            return (char) Integer.parseInt(text.substring(at - 2, at), 16);
        }

        static BitSet dot() {
            BitSet set = new BitSet();
            set.set(0, 256);
            set.clear('\n');
            return set;
        }

        BitSet bracket() {
            boolean negated = text.charAt(at) == '^';
            if (negated) at++;
            BitSet set = new BitSet();
            while (text.charAt(at) != ']') {
                char first = symbol();
                char last = first;
                if (text.charAt(at) == '-' && text.charAt(at + 1) != ']') {
                    at++;
                    last = symbol();
                }
                set.set(first, last + 1);
            }
            at++;
            if (!negated) return set;
            BitSet rest = dot();
            rest.andNot(set);
            return rest;
        }

        void set(BitSet set) {
            if (set.isEmpty()) {
                out.append('#');
                return;
            }
            out.append('[');
            for (int first = set.nextSetBit(0); first >= 0;) {
                int end = set.nextClearBit(first);
                out.append('\\').append((char) first);
                if (end > first + 1) out.append("-\\").append((char) (end - 1));
                first = set.nextSetBit(end);
            }
            out.append(']');
        }
    }

    static Automaton parse(String regex) {
        return new Translator(regex.equals("\\e") ? "" : regex).automaton();
    }

    static String show(String witness) { return witness == null ? "yes" : "no " + witness.length(); }

    static Automaton image(String pipeline, Automaton a) {
        for (String stage : pipeline.split(" ; ")) a = BricsTransducers.image(stage, a);
        return a;
    }

    static Automaton preimage(String pipeline, Automaton b) {
        String[] stages = pipeline.split(" ; ");
        for (int i = stages.length; i-- > 0;) b = BricsTransducers.preimage(stages[i], b);
        return b;
    }

    static String included(Automaton a, Automaton b) {
        return a.subsetOf(b) ? "yes" : show(a.minus(b).getShortestExample(true));
    }

    static String size(Automaton a) {
        a.minimize();
        return "" + a.getLiveStates().size();
    }

    static String answer(String[] query) {
        switch (query[2]) {
            case "incl": return included(parse(query[3]), parse(query[4]));
            case "equiv": {
                Automaton a = parse(query[3]);
                Automaton b = parse(query[4]);
                if (a.equals(b)) return "yes";
                String left = a.minus(b).getShortestExample(true);
                String right = b.minus(a).getShortestExample(true);
                boolean useLeft = right == null || (left != null && left.length() <= right.length());
                return show(useLeft ? left : right);
            }
            case "empty": return show(parse(query[3]).getShortestExample(true));
            case "dfa": return size(parse(query[3]));
            case "member": {
                RunAutomaton run = new RunAutomaton(parse(query[3]));
                String text = texts.get(query[4]);
                int count = 0;
                for (int begin = 0; begin < text.length();) {
                    int end = text.indexOf('\n', begin);
                    if (run.run(text.substring(begin, end))) count++;
                    begin = end + 1;
                }
                return "" + count;
            }
            case "image": return size(image(query[3], parse(query[4])));
            case "preimg": return size(preimage(query[3], parse(query[4])));
            default: return included(image(query[3], parse(query[4])), parse(query[5]));
        }
    }

    static class Run extends Thread {
        final String[] query;
        final int runs;
        volatile String result;
        volatile double microseconds;

        Run(String[] query, int runs) {
            this.query = query;
            this.runs = runs;
        }

        @Override
        public void run() {
            var clock = ManagementFactory.getThreadMXBean();
            List<Double> times = new ArrayList<>();
            double spent = 0;
            String answer = null;
            try {
                do {
                    long begin = clock.getCurrentThreadCpuTime();
                    answer = answer(query);
                    times.add((clock.getCurrentThreadCpuTime() - begin) / 1e3);
                    spent += times.get(times.size() - 1);
                } while (times.size() < runs && spent < 200e3);
            } catch (OutOfMemoryError | StackOverflowError e) {
                return;
            }
            Collections.sort(times);
            microseconds = times.get(times.size() / 2);
            result = answer;
        }
    }

    @SuppressWarnings({"deprecation", "removal"})
    static Run run(String[] query, int runs) throws InterruptedException {
        Run run = new Run(query, runs);
        run.setDaemon(true);
        run.start();
        run.join(LIMIT * 1000L);
        if (run.isAlive()) run.stop();
        run.join(1000);
        return run;
    }

    public static void main(String[] args) throws Exception {
        directory = Path.of(args[0]);
        Set<String> only = new HashSet<>(Arrays.asList(args).subList(1, args.length));
        List<String[]> queries = new ArrayList<>();
        String workload =
            Files.readString(directory.resolve("workload.txt"), StandardCharsets.ISO_8859_1);
        for (String line : workload.split("\n")) {
            if (line.isEmpty() || line.startsWith("#")) continue;
            String[] query = line.split("\t", -1);
            if (!only.isEmpty() && !only.contains(query[0])) continue;
            queries.add(query);
            if (query[2].equals("member") && !texts.containsKey(query[4])) {
                texts.put(query[4],
                    Files.readString(directory.resolve(query[4]), StandardCharsets.ISO_8859_1));
            }
        }
        Set<String> unanswered = new HashSet<>();
        for (String[] query : queries) {
            if (run(query, 3).result == null) unanswered.add(query[0]);
        }
        for (String[] query : queries) {
            Run run = unanswered.contains(query[0]) ? null : run(query, 15);
            boolean answered = run != null && run.result != null;
            System.out.printf(Locale.ROOT, "%s\t%s\t%.2f\t%s%n", query[0], query[1],
                answered ? run.microseconds : LIMIT * 1e6, answered ? run.result : "unanswered");
            System.out.flush();
        }
        System.exit(0);
    }
}
