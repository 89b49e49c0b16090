"""The command line of the program itself: what needs no server."""
import os
import shutil
import subprocess
import tempfile
import unittest

from servers import PROBE, need


def jackprobe(*words, **kwargs):
    return subprocess.run([PROBE, *words], capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL, **kwargs)


class CommandLine(unittest.TestCase):
    def test_usage_errors_are_one_sentence_and_status_2(self):
        cases = [
            (["--interval", "x"], "jackprobe: --interval wants a number of seconds from 0.1 to 3600, not 'x'; see jackprobe --help"),
            (["watch", "--log", "a.db"], "jackprobe: --log: wants a file name that ends in .csv or .jsonl, not 'a.db'; see jackprobe --help"),
            (["load", "--clients", "0"], "jackprobe: --clients wants a whole number from 1 to 200, not '0'; see jackprobe load --help"),
            (["wacth"], "jackprobe: there is no command 'wacth'; see jackprobe --help"),
            (["help", "nothing"], "jackprobe: there is no command 'nothing' to help with; see jackprobe --help"),
            (
                ["--insert", "head", "--timing", "api"],
                "jackprobe: --insert head takes the end of the cycle from server timing; leave out --timing api or use --insert head-tail; "
                "see jackprobe --help",
            ),
        ]
        for words, sentence in cases:
            with self.subTest(words=words):
                ended = jackprobe(*words)
                self.assertEqual(ended.returncode, 2)
                self.assertEqual(ended.stdout, "")
                self.assertEqual(ended.stderr, sentence + "\n")

    def test_controls_are_told_in_letters(self):
        cases = [
            (["--osc-prefix", "/a\nb"], r"jackprobe: --osc-prefix: osc prefix '/a\x0ab': wants printable ASCII without spaces; see jackprobe --help"),
            (["\033[2J\u202e\x9b"], r"jackprobe: there is no command '\x1b[2J\u202e\x9b'; see jackprobe --help"),
            (["load", "--duration", "1", "--truth", "/\033/\n"], r"jackprobe load: --truth /\x1b/\x0a: cannot be written: No such file or directory"),
        ]
        for words, sentence in cases:
            with self.subTest(words=words):
                self.assertEqual(jackprobe(*words).stderr, sentence + "\n")

    def test_too_few_open_files_are_one_sentence(self):
        few = ["sh", "-c", 'ulimit -n 20; exec "$@"', "sh", PROBE]
        ended = subprocess.run([*few, "--duration", "1"], capture_output=True, text=True, timeout=20)
        sentence = "only 20 files may be open at a time, and jackprobe with libjack needs up to 64; raise the limit (ulimit -n 64)"
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (1, "", f"jackprobe: {sentence}\n"))

    def test_outputs_need_open_files_of_their_own(self):
        few = ["sh", "-c", 'ulimit -n 64; exec "$@"', "sh", PROBE]
        outputs = ["--log", "/no/a.csv", "--log", "/no/b.jsonl", "--osc", "127.0.0.1:9"]
        ended = subprocess.run([*few, "--duration", "1", *outputs], capture_output=True, text=True, timeout=20)
        sentence = "only 64 files may be open at a time, and jackprobe with libjack needs up to 69; raise the limit (ulimit -n 69)"
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (1, "", f"jackprobe: {sentence}\n"))

    def test_pw_jack_in_vain_is_one_sentence(self):
        """The dynamic linker drops pw-jack's library path for a program with privileges of its own."""
        if os.getuid() != 0:
            self.skipTest("needs root, to make a set-group-ID copy")
        need("pw-jack")
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "jackprobe")
            shutil.copy(PROBE, copy)
            os.chown(copy, 0, 65534)
            os.chmod(copy, 0o2755)
            for words in ["--duration", "1"], [], ["load", "--duration", "1"]:
                with self.subTest(words=words):
                    ended = subprocess.run(["pw-jack", copy, *words], capture_output=True, text=True, timeout=20, env={"PATH": os.environ["PATH"]})
                    self.assertEqual((ended.returncode, ended.stdout), (1, ""))
                    self.assertRegex(ended.stderr, r"^jackprobe: pw-jack has no effect on a program that has file capabilities [^\n]*\n$")
            ended = subprocess.run([copy, "--server", "jackprobe-nosuch"], capture_output=True, text=True, timeout=20)
            self.assertIn("no JACK server jackprobe-nosuch answers", ended.stderr)

    def test_help_and_version_go_to_standard_output(self):
        for words, start in (["--version"], "jackprobe 0"), (["load", "--version"], "jackprobe 0"), (["watch", "--version"], "jackprobe 0"), \
                (["--interval", "1", "--version"], "jackprobe 0"), (["watch", "--help"], "Usage: jackprobe [watch]"), \
                (["--help"], "Usage: jackprobe [COMMAND]"), (["-h"], "Usage: jackprobe [COMMAND]"), \
                (["help"], "Usage: jackprobe [COMMAND]"), (["help", "watch"], "Usage: jackprobe [watch]"), \
                (["--interval", "1", "--help"], "Usage: jackprobe [watch]"), (["load", "-h"], "Usage: jackprobe load"):
            with self.subTest(words=words):
                ended = jackprobe(*words)
                self.assertEqual((ended.returncode, ended.stderr), (0, ""))
                self.assertTrue(ended.stdout.startswith(start), ended.stdout)

    def test_help_that_cannot_be_written_is_a_failure(self):
        with open("/dev/full", "w") as full:
            for words in ["--version"], ["--help"]:
                ended = subprocess.run([PROBE, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=20)
                self.assertEqual((ended.returncode, ended.stderr), \
                    (1, "jackprobe: cannot write to standard output: No space left on device\n"))


if __name__ == "__main__":
    unittest.main()
