// A client of `vclogic serve --stdio` for Java 17, in one file without libraries; the protocol is in docs/serve.md.
//
//   java examples/clients/Client.java            asks some questions about axis_allies and prints the answers

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** A running `vclogic serve --stdio`. JSON is read as Map, List, String, Long, Double, Boolean and null. */
public final class Client implements AutoCloseable {

  /** An answer that says what is wrong with a request, or that it was cancelled. */
  public static final class Refused extends RuntimeException {
    public final List<String> codes = new ArrayList<>();

    Refused(Map<String, Object> answer) {
      super(list(answer.get("errors")).stream()
          .map(e -> map(e).get("message") + (map(e).get("help") == null ? "" : " (" + map(e).get("help") + ")"))
          .collect(Collectors.joining("; ")));
      for (Object error : list(answer.get("errors"))) codes.add((String) map(error).get("code"));
    }
  }

  /** A question: its id, by which it can be cancelled, and its answer. */
  public record Question(long id, CompletableFuture<Map<String, Object>> answer) {
    /** Waits for the answer; throws Refused where it is an error. */
    public Map<String, Object> get() {
      try {
        return answer.join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof RuntimeException r ? r : e;
      }
    }
  }

  private final Process process;
  private final BufferedWriter out;
  private final Map<Long, CompletableFuture<Map<String, Object>>> waiting = new ConcurrentHashMap<>();
  private final AtomicLong last = new AtomicLong();

  public Client(List<String> command) throws IOException {
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    out = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    Thread reader = new Thread(this::read);
    reader.setDaemon(true);
    reader.start();
  }

  /** Asks without waiting; keys and values alternate: ask("status", "moment", "m1"). */
  public Question ask(String ask, Object... keys) {
    long id = last.incrementAndGet();
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("id", id);
    request.put("ask", ask);
    for (int i = 0; i < keys.length; i += 2) request.put((String) keys[i], keys[i + 1]);
    CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    try {
      synchronized (out) {
        out.write(Json.write(request));
        out.write('\n');
        out.flush();
      }
    } catch (IOException e) {
      answer.completeExceptionally(new IllegalStateException("vclogic has ended", e));
    }
    return new Question(id, answer);
  }

  /** Cancels a question; tells whether it was there, not answered yet. */
  public boolean cancel(Question question) {
    return (Boolean) ask("cancel", "request", question.id()).get().get("cancelled");
  }

  /** Ends the process once everything is answered. */
  @Override
  public void close() throws IOException {
    out.close();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    RuntimeException end = new IllegalStateException("vclogic has ended");
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line; (line = in.readLine()) != null; ) {
        Map<String, Object> reply = map(Json.read(line));
        if (!reply.containsKey("answer")) continue; // progress
        CompletableFuture<Map<String, Object>> one =
            reply.get("id") instanceof Long id ? waiting.remove(id) : null;
        Map<String, Object> answer = map(reply.get("answer"));
        if (one == null) continue;
        if ("error".equals(answer.get("status"))) one.completeExceptionally(new Refused(answer));
        else one.complete(answer);
      }
    } catch (IOException | RuntimeException e) {
      end = new IllegalStateException("what vclogic says cannot be read", e);
    }
    for (CompletableFuture<Map<String, Object>> one : waiting.values()) one.completeExceptionally(end);
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked")
  static List<Object> list(Object value) {
    return (List<Object>) value;
  }

  /** Reads and writes JSON. */
  static final class Json {
    private final String text;
    private int at;

    private Json(String text) {
      this.text = text;
    }

    static Object read(String text) {
      Json json = new Json(text);
      Object value = json.value();
      json.blanks();
      if (json.at < text.length()) throw json.wrong();
      return value;
    }

    static String write(Object value) {
      StringBuilder out = new StringBuilder();
      write(value, out);
      return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
      if (value instanceof Map<?, ?> entries) {
        String before = "{";
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
          out.append(before);
          write(entry.getKey().toString(), out);
          out.append(':');
          write(entry.getValue(), out);
          before = ",";
        }
        out.append(entries.isEmpty() ? "{}" : "}");
      } else if (value instanceof List<?> items) {
        String before = "[";
        for (Object item : items) {
          out.append(before);
          write(item, out);
          before = ",";
        }
        out.append(items.isEmpty() ? "[]" : "]");
      } else if (value instanceof String text) {
        out.append('"');
        for (char c : text.toCharArray()) {
          if (c == '"' || c == '\\') out.append('\\').append(c);
          else if (c < ' ') out.append(String.format("\\u%04x", (int) c));
          else out.append(c);
        }
        out.append('"');
      } else {
        out.append(value); // a number, a truth value, null
      }
    }

    private Object value() {
      blanks();
      switch (peek()) {
        case '{': {
          Map<String, Object> found = new LinkedHashMap<>();
          for (at++; next() != '}'; ) {
            String key = string();
            expect(':');
            found.put(key, value());
            if (next() != '}') expect(',');
          }
          at++;
          return found;
        }
        case '[': {
          List<Object> found = new ArrayList<>();
          for (at++; next() != ']'; ) {
            found.add(value());
            if (next() != ']') expect(',');
          }
          at++;
          return found;
        }
        case '"':
          return string();
        default:
          int begin = at;
          while (at < text.length() && ",]} \t".indexOf(text.charAt(at)) < 0) at++;
          return word(text.substring(begin, at));
      }
    }

    private Object word(String word) {
      switch (word) {
        case "true": return true;
        case "false": return false;
        case "null": return null;
        default:
          if (word.matches("-?[0-9]{1,18}")) return Long.parseLong(word);
          return Double.parseDouble(word);
      }
    }

    private String string() {
      blanks();
      expect('"');
      StringBuilder found = new StringBuilder();
      while (peek() != '"') {
        char c = text.charAt(at++);
        if (c != '\\') {
          found.append(c);
          continue;
        }
        c = peek();
        at++;
        int i = "bfnrt".indexOf(c);
        if (i >= 0) {
          found.append("\b\f\n\r\t".charAt(i));
        } else if (c == 'u') {
          found.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
          at += 4;
        } else {
          found.append(c);
        }
      }
      at++;
      return found.toString();
    }

    private void blanks() {
      while (at < text.length() && text.charAt(at) <= ' ') at++;
    }

    private char next() {
      blanks();
      return peek();
    }

    private char peek() {
      if (at >= text.length()) throw wrong();
      return text.charAt(at);
    }

    private void expect(char c) {
      if (next() != c) throw wrong();
      at++;
    }

    private IllegalArgumentException wrong() {
      return new IllegalArgumentException("this is not JSON, at " + at + ": " + text);
    }
  }

  /** What both clients of this folder do: a short game with the questions of a computer opponent. */
  public static void main(String[] command) throws IOException {
    Client vclogic = new Client(command.length > 0 ? List.of(command) : List.of("vclogic", "serve", "--stdio"));
    Map<String, Object> loaded = vclogic.ask("load", "game", "axis_allies").get();
    Object start = loaded.get("moment");
    System.out.println("game: " + loaded.get("game"));

    for (Object outcome : list(vclogic.ask("status", "moment", start).get().get("outcomes"))) {
      Map<String, Object> o = map(outcome);
      if (o.get("rule").equals("major_victory") && o.get("side").equals("Axis"))
        System.out.println("Axis: " + o.get("have") + " of " + o.get("need") + " points");
    }

    Map<String, Object> legal = vclogic.ask("legal", "moment", start, "event", "end_turn").get();
    boolean allowed = !list(map(list(legal.get("events")).get(0)).get("allowed")).isEmpty();
    System.out.println("end_turn is " + (allowed ? "legal" : "not legal"));

    // A long question, which does not keep the next ones waiting.
    Question hard = vclogic.ask(
        "plan", "moment", start, "goal", "vcp(Axis) >= 60", "minimize", "turns", "timeout", 60);
    Map<String, Object> plan =
        vclogic.ask("plan", "moment", start, "goal", "vcp(Axis) >= 40", "timeout", 10).get();
    System.out.println("plan: " + plan.get("status") + ", " + plan.get("cost") + " captures");
    for (Object step : list(plan.get("steps"))) System.out.println("  " + map(step).get("text"));

    Object after = vclogic.ask("apply", "moment", start, "events", plan.get("record")).get().get("moment");
    Map<String, Object> values =
        vclogic.ask("value", "moment", after, "expressions", List.of("vcp(Axis)")).get();
    System.out.println("after it: " + list(values.get("values")).get(0) + " points");

    boolean cancelled = vclogic.cancel(hard);
    try {
      hard.get(); // what is known by now
    } catch (Refused refused) {
      // nothing is: the code is "cancelled"
    }
    System.out.println("the long question: " + (cancelled ? "cancelled" : "answered"));

    try {
      vclogic.ask("value", "moment", start, "expressions", List.of("vcp(Axes)")).get();
    } catch (Refused refused) {
      System.out.println(refused.getMessage());
    }
    vclogic.close();
    System.out.println("exit code " + vclogic.process.exitValue());
  }
}
